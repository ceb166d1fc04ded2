// What a page does: choosing a card, a view, a theme, by mouse and by keys. Runs in a browser, as it stands here.

export const SCRIPT = `
(() => {
  const root = document.documentElement
  const entries = [...document.querySelectorAll('.entry')]
  const links = new Map([...document.querySelectorAll('nav a')].map((a) => [a.getAttribute('href').slice(1), a]))
  const views = [...document.querySelectorAll('[data-show]')]
  let at = -1

  const choose = (index, move) => {
    const entry = entries[index]
    if (!entry) return
    at = index
    for (const other of entries) other.classList.toggle('chosen', other === entry)
    for (const [id, link] of links) {
      if (id === entry.id) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
    links.get(entry.id)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    if (!move) return
    entry.focus({ preventScroll: true })
    entry.scrollIntoView({ block: 'start' })
    history.replaceState(null, '', '#' + entry.id)
  }
  const show = (view) => {
    root.dataset.view = view
    for (const button of views) button.setAttribute('aria-pressed', String(button.dataset.show === view))
    entries[at]?.scrollIntoView({ block: 'start' })
  }
  const theme = () => {
    const dark = getComputedStyle(root).colorScheme.trim() === 'light dark'
      ? matchMedia('(prefers-color-scheme: dark)').matches
      : root.dataset.theme === 'dark'
    root.dataset.theme = dark ? 'light' : 'dark'
  }

  for (const [id, link] of links) {
    link.addEventListener('click', (event) => {
      event.preventDefault()
      choose(entries.findIndex((entry) => entry.id === id), true)
    })
  }
  for (const entry of entries) entry.addEventListener('click', () => choose(entries.indexOf(entry), false))
  for (const button of views) button.addEventListener('click', () => show(button.dataset.show))
  document.getElementById('theme').addEventListener('click', theme)
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'j' || event.key === 'ArrowRight') choose(Math.min(entries.length - 1, at + 1), true)
    else if (event.key === 'k' || event.key === 'ArrowLeft') choose(Math.max(0, at - 1), true)
    else if (event.key === 'Home') choose(0, true)
    else if (event.key === 'End') choose(entries.length - 1, true)
    else if (event.key === 't') theme()
    else if (event.key === 'v' && views.length > 1) {
      const now = views.findIndex((button) => button.dataset.show === root.dataset.view)
      show(views[(now + 1) % views.length].dataset.show)
    } else if (event.key === 'r') {
      for (const raw of entries[at]?.querySelectorAll('details.raw') ?? []) raw.open = !raw.open
    } else return
    event.preventDefault()
  })
  if (views.length > 1) show(root.dataset.view)
  choose(Math.max(0, entries.findIndex((entry) => '#' + entry.id === location.hash)), location.hash !== '')
})()
`
