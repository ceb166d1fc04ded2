// A page in one file: styles and script inside, nothing from outside, which its content policy enforces.
import { html, join, NOTHING, safe, type Html } from './safe.ts'
import { SCRIPT } from './script.ts'
import { STYLE } from './style.ts'

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

export interface Section {
  /** Distinct in the page. */
  id: string
  title: string
  /** Sections of a group stand together in the list. */
  group: string
}

export interface Page {
  title: string
  /** One sentence under the title. */
  about: string
  sections: readonly Section[]
  /** What can be shown in turns; the first one is chosen at the beginning. */
  views: readonly string[]
  body: Html
}

export function drawPage(page: Page): string {
  const { title, views } = page
  const document = html`<html lang="en" data-view="${views[0] ?? ''}">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
      <title>${title}</title>
      <style>
        ${safe(STYLE + views.map(viewRule).join(''))}
      </style>
    </head>
    <body>
      ${bar(page)}
      <div class="page">
        <nav aria-label="Cards">${navigation(page.sections)}${keys(views)}</nav>
        <main>${page.body}</main>
      </div>
      <script>
        ${safe(SCRIPT)}
      </script>
    </body>
  </html> `
  return `<!doctype html>\n${document}`
}

function bar({ title, about, views }: Page): Html {
  const name = html`<div class="name">
    <h1>${title}</h1>
    <p>${about}</p>
  </div>`
  return html`<header class="bar">
    ${name}${switches(views)}<button
      id="theme"
      type="button"
      title="Dark or light (t)"
      aria-label="Dark or light"
    >
      ◐
    </button>
  </header>`
}

function keys(views: readonly string[]): Html {
  const view = views.length > 1 ? html`<br /><kbd>v</kbd> next view` : NOTHING
  return html`<p class="keys">
    <kbd>j</kbd> <kbd>k</kbd> next, previous${view}<br /><kbd>r</kbd> raw <kbd>t</kbd> theme
  </p>`
}

/** A part of a page that the list leads to. */
export function drawSection({ id, title }: Pick<Section, 'id' | 'title'>, body: Html): Html {
  return html`<section class="entry" id="${id}" tabindex="-1" aria-label="${title}">${body}</section>`
}

/** What is seen in one of the views only; `all` shows them side by side. */
export function drawView(view: string, body: Html): Html {
  return html`<div class="view" data-view="${view}">
    <p class="label">${view}</p>
    ${body}
  </div>`
}

function viewRule(view: string): string {
  return view === 'all'
    ? ':root[data-view="all"] .view{display:block}'
    : `:root[data-view="${view}"] .view[data-view="${view}"]{display:block}`
}

function switches(views: readonly string[]): Html {
  if (views.length < 2) return NOTHING
  const buttons = views.map(
    (view) =>
      html`<button type="button" data-show="${view}">${view === 'all' ? 'side by side' : view}</button>`,
  )
  return html`<div class="switch" role="group" aria-label="Client">${join(buttons)}</div>`
}

function navigation(sections: readonly Section[]): Html {
  const groups = [...new Set(sections.map(({ group }) => group))]
  return join(
    groups.map((group) => {
      const links = sections
        .filter((section) => section.group === group)
        .map(({ id, title }) => html`<a href="#${id}">${title}</a>`)
      return html`<div class="group">
        <p class="label">${group}</p>
        ${join(links)}
      </div>`
    }),
  )
}
