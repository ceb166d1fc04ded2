// The worker that converts one page.
import { parentPort, workerData } from 'node:worker_threads'
import { toMarkdown } from './markdown.ts'

const { html, base } = workerData as { html: string; base: string }
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is about windows
parentPort?.postMessage(toMarkdown(html, base))
