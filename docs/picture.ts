// Makes docs/session-dark.png and docs/session-light.png: a session of the demo's project, drawn from its log as a page.
// Usage: npm run screenshot (needs chromium, found at /usr/bin/chromium or named by CHROMIUM)
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const PROMPT = 'A test of this little shopping cart fails. Find out why, and fix it.'
/** The conversation in two columns, without the list beside it. */
const LAYOUT = `
  .bar, nav, details.raw, .plan, .places, .who, .thought { display: none !important }
  body { font-size: 14px } .page { display: block; max-width: none; padding: 0 }
  main { padding: 26px 30px 10px; columns: 2; column-gap: 26px }
  .entry, .said { break-inside: avoid; max-width: none; margin: 0 0 16px }
  .entry.chosen .card { border-color: var(--line); box-shadow: 0 1px 2px #0000000d }
  .entry:has(.title p:only-child) .title { font-size: 1em }
  .scroll { max-height: none } .scroll.code { max-height: 17.5em; overflow: hidden }
  .term pre { max-height: 21em; overflow: hidden }
  .hidden { display: none }
`
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'deckhand-picture-'))
const project = join(folder, 'cart')
const deckhand = (...args: string[]): string =>
  execFileSync(process.execPath, [join(root, 'bin/deckhand.js'), ...args], {
    cwd: project,
    env: { ...process.env, DECKHAND_HOME: join(folder, 'home') },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })

try {
  cpSync(join(root, 'demo/cart'), project, { recursive: true })
  deckhand('run', '--model', 'scripted/demo', '--mode', 'bypass', PROMPT)
  const page = join(folder, 'session.html')
  deckhand('replay', deckhand('sessions').slice(0, 36), '--html', page)
  for (const colorScheme of ['dark', 'light'] as const) {
    const context = await chromium.launchPersistentContext(join(folder, colorScheme), {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
      viewport: { width: 1240, height: 800 },
      deviceScaleFactor: 1.5,
      colorScheme,
    })
    const tab = context.pages()[0] ?? (await context.newPage())
    await tab.goto(pathToFileURL(page).href)
    await tab.addStyleTag({ content: LAYOUT })
    await tab.locator('.entry', { hasText: /Update tasks \([1-4]/ }).evaluateAll((entries) => {
      for (const entry of entries) (entry as unknown as { remove(): void }).remove()
    })
    const path = join(root, `docs/session-${colorScheme}.png`)
    await tab.locator('main').screenshot({ path })
    await context.close()
    process.stdout.write(`${path}\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
