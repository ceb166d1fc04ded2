// The pages in a real browser: every card is clicked, nothing is fetched from outside, no script fails.
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { visible } from '#cli/html/terminal.ts'
import { ROOT, runBin } from './run-bin.ts'

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const browser = existsSync(CHROMIUM)
if (!browser) process.stdout.write(`no chromium at ${CHROMIUM}: the pages are not opened in a browser\n`)

let folder = ''
let gallery = ''
let session = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deckhand-pages-'))
  gallery = join(folder, 'cards.html')
  session = join(folder, 'session.html')
  const made = await runBin(['cards', '--html', gallery])
  expect(made).toMatchObject({ code: 0, stderr: '' })
  const log = join(ROOT, 'fixtures/sessions/edit.jsonl')
  expect(await runBin(['replay', log, '--html', session])).toMatchObject({ code: 0, stderr: '' })
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))

describe('the pages', () => {
  it('need a browser in CI', () => {
    if (process.env['CI']) expect(browser).toBe(true)
  })

  it.each(['gallery', 'session'])('are one file each, without anything from outside: %s', (which) => {
    const text = readFileSync(which === 'gallery' ? gallery : session, 'utf8')
    expect(text).toContain('default-src &#39;none&#39;')
    expect([...text.matchAll(/<(?:script|img|link|iframe)\b[^>]*(?:src|href)="(?!data:)[^"]*"/g)]).toEqual([])
    expect(text).not.toMatch(/@import|url\(/)
  })

  it('show what is HTML in a card as text', async () => {
    const log = join(folder, 'evil.jsonl')
    const lines = readFileSync(join(ROOT, 'fixtures/sessions/read.jsonl'), 'utf8')
    await writeFile(
      log,
      lines.replaceAll('Please go on.', '<img src=x onerror=alert(1)> [x](javascript:alert(1)) </script>'),
    )
    const page = join(folder, 'evil.html')
    expect(await runBin(['replay', log, '--html', page])).toMatchObject({ code: 0 })
    const text = readFileSync(page, 'utf8')
    expect(text).not.toContain('<img src=x')
    expect(text).not.toContain('href="javascript')
    expect(text.match(/<\/script>/g)).toHaveLength(1)
  })

  it('say it when a page can’t be written', async () => {
    const { code, stderr } = await runBin(['cards', '--html', join(folder, 'no/such/folder.html')])
    expect(code).toBe(1)
    expect(stderr).toContain("can't be written")
    expect(await runBin(['cards'])).toMatchObject({ code: 2 })
  })
})

describe('terminal output', () => {
  it('keeps colours, and of lines that were written over what stood there at the end', () => {
    expect(visible('\u001b[32mok\u001b[0m 1\r\u001b[2Kok 2\r\n\u001b]0;title\u0007end\n\n')).toBe('ok 2\nend')
    expect(visible('\u001b[31mred\u001b[0m')).toBe('\u001b[31mred\u001b[0m')
  })
})

describe.skipIf(!browser)('in a browser', () => {
  let context: BrowserContext
  let page: Page
  const problems: string[] = []
  beforeAll(async () => {
    const { chromium } = await import('playwright-core')
    context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath: CHROMIUM,
      headless: true,
      args: FLAGS,
      viewport: { width: 1280, height: 900 },
      colorScheme: 'dark',
    })
    page = context.pages()[0] ?? (await context.newPage())
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => problems.push(message.text()))
    page.on('request', (request) => {
      if (!/^(?:file|data):/.test(request.url())) problems.push(`fetched ${request.url()}`)
    })
  }, 60_000)
  afterAll(() => context?.close())

  const chosen = (): Promise<string> =>
    page.evaluate(() => (globalThis as unknown as Dom).document.querySelector('.entry.chosen')?.id ?? '')
  const open = (file: string): Promise<unknown> => page.goto(pathToFileURL(file).href)

  it('every card can be chosen, on every client', async () => {
    await open(gallery)
    const links = await page.locator('nav a').all()
    expect(links.length).toBeGreaterThanOrEqual(40)
    for (const client of ['plain', 'fs-only', 'all', 'zed']) {
      await page.click(`[data-show="${client}"]`)
      expect(await page.locator('.view:visible').count()).toBe(links.length * (client === 'all' ? 3 : 1))
    }
    for (const link of await page.$$('nav a')) {
      await link.click()
      expect(`#${await chosen()}`).toBe(await link.getAttribute('href'))
      expect(await page.isVisible('.entry.chosen .view[data-view=zed] .card')).toBe(true)
    }
    expect(problems).toEqual([])
  }, 60_000)

  it('keys choose cards, clients and themes', async () => {
    await open(gallery)
    const first = await chosen()
    await page.keyboard.press('j')
    expect(await chosen()).not.toBe(first)
    await page.keyboard.press('k')
    expect(await chosen()).toBe(first)
    const state = (): Promise<unknown> =>
      page.evaluate(() => ({ ...(globalThis as unknown as Dom).document.documentElement.dataset }))
    await page.keyboard.press('v')
    await page.keyboard.press('t')
    expect(await state()).toEqual({ view: 'plain', theme: 'light' })
    await page.keyboard.press('t')
    expect(await state()).toEqual({ view: 'plain', theme: 'dark' })
    await page.keyboard.press('r')
    expect(await page.locator('.entry.chosen details.raw[open]').count()).toBeGreaterThan(0)
  })

  it('a narrow page does not scroll sideways', async () => {
    for (const file of [gallery, session]) {
      await page.setViewportSize({ width: 400, height: 800 })
      await open(file)
      const { clientWidth, scrollWidth } = await page.evaluate(() => {
        const { clientWidth: client, scrollWidth: scroll } = (globalThis as unknown as Dom).document
          .documentElement
        return { clientWidth: client, scrollWidth: scroll }
      })
      expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
    }
  })

  it('a session is a conversation with its cards', async () => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await open(session)
    expect(await page.locator('.said.user').count()).toBe(1)
    expect(await page.locator('nav a').allTextContents()).toEqual([
      'Read notes.md',
      'Edit notes.md',
      'Edit notes.md',
    ])
    expect(await page.locator('.entry .diff').count()).toBeGreaterThan(0)
    expect(problems).toEqual([])
  })

  it.runIf(process.env['SCREENSHOT'])('is kept as a picture beside the docs', async () => {
    await page.setViewportSize({ width: 1440, height: 960 })
    await open(gallery)
    await page.click('[data-show="all"]')
    await page.click('nav a[href="#terminal-ansi"]')
    await page.screenshot({ path: join(ROOT, 'docs/cards.png') })
  })
})

interface Dom {
  document: {
    querySelector(selector: string): { id: string } | null
    documentElement: { dataset: Record<string, string>; clientWidth: number; scrollWidth: number }
  }
}
