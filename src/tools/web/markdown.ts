// HTML to Markdown.
import TurndownService from 'turndown'

interface HtmlElement {
  getAttribute(name: string): string | null
}

/** Links become absolute, so that they can be fetched next; nothing that runs is left. Slow for large pages. */
export function toMarkdown(html: string, base: string): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
  })
  service.remove(['script', 'style', 'noscript', 'template', 'iframe', 'object', 'title'] as never)
  service.remove(['svg', 'canvas', 'video', 'audio', 'form', 'button'] as never)
  service.addRule('link', {
    filter: 'a',
    replacement: (content, node) =>
      linked(content, (node as unknown as HtmlElement).getAttribute('href'), base),
  })
  service.addRule('image', {
    filter: 'img',
    replacement: (_content, node) => {
      const image = node as unknown as HtmlElement
      const alt = (image.getAttribute('alt') ?? '').replaceAll(/\s+/g, ' ').trim()
      const link = linked(alt, image.getAttribute('src'), base)
      return link.startsWith('[') ? `!${link}` : alt
    },
  })
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1]
  const body = service.turndown(html).trim()
  const heading = title === undefined ? '' : service.turndown(`<p>${title}</p>`).trim()
  return heading === '' || body.includes(heading) ? body : `# ${heading}\n\n${body}`
}

/** Absolute, so that it can be fetched next. */
function linked(content: string, href: string | null, base: string): string {
  const text = content.replaceAll(/\s+/g, ' ').trim()
  const url = href === null ? null : URL.parse(href, base)
  if (text === '' || !url || !/^(?:https?|mailto):$/.test(url.protocol)) return text
  return `[${text}](${url.href.replaceAll('(', '%28').replaceAll(')', '%29')})`
}
