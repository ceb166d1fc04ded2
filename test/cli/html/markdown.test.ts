// Markdown on a page: what is drawn is what was written, and nothing of it is HTML.
import { describe, expect, it } from 'vitest'
import { createHighlight } from '#cli/html/highlight.ts'
import { drawMarkdown } from '#cli/html/markdown.ts'

const drawn = async (text: string): Promise<string> =>
  String(await drawMarkdown(await createHighlight(), text)).replaceAll(/\s*\n\s*/g, '')

describe('Markdown', () => {
  it('draws a table cell by cell, its text escaped', async () => {
    const table = await drawn('| id | *who* |\n| --- | --- |\n| 1 | A\\|B <img src=x> |\n| 2 |')
    expect(table).toContain('<tr><th>id</th><th><em>who</em></th></tr>')
    expect(table).toContain('<tr><td>1</td><td>A|B &lt;img src=x&gt;</td></tr>')
    expect(table).toContain('<tr><td>2</td><td></td></tr>')
  })

  it('draws no HTML and follows no odd link', async () => {
    const text = await drawn('<script>alert(1)</script>\n\n[x](javascript:alert(1)) **b** <b>c</b>')
    expect(text).not.toMatch(/<script|<b>|href="javascript/)
    expect(text).toContain('<strong>b</strong>')
  })
})
