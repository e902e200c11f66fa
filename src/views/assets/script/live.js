import { here, main, say, tell } from './base.js'

// Live updates: an event makes the page load again, and its live parts are replaced.

addEventListener('input', ({ target }) => {
  target.dataset.typed = ''
})

const focusIn = (part) => (part.contains(document.activeElement) ? document.activeElement : undefined)

// Whether the person has opened or typed something that an update must not remove.
const isInUse = (part) =>
  part.querySelector('details.op[open], [data-typed]') !== null || focusIn(part)?.matches(':not(summary)')

// `sent` is a form of this page that was just sent: the page tells what was done, and what was typed into others stays.
export async function refresh(sent) {
  const headers = { accept: 'text/html', ...(!sent && { 'x-refresh': 'live' }) }
  const answer = await fetch(location.href, { headers })
  if (!(answer.headers.get('content-type') ?? '').startsWith('text/html')) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (sent) {
    // What was deleted has another page, without the same parts.
    if (partsOf(fresh) !== partsOf(document)) return replaceMain(fresh)
    document.getElementById('told').replaceChildren(...fresh.getElementById('told').childNodes)
  }
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = fresh.getElementById(part.id)
    if (next === null || next.innerHTML === part.innerHTML) continue
    const { live } = part.dataset
    const isOther = !part.contains(sent)
    // A refused form stays until it is sent again.
    if (isOther && live === 'when-sent' && (!sent || part.querySelector('form'))) continue
    if (isOther && live === 'unless-typing' && isInUse(part)) {
      if (!sent) tell(say('This has just changed. Your form is kept; when you send it, you will see what happened.'))
      continue
    }
    replacePart(part, next)
  }
}

// Another page may need another style.
export function replaceMain(page) {
  for (const sheet of page.querySelectorAll('[rel=stylesheet]'))
    if (!document.querySelector(`[href="${sheet.getAttribute('href')}"]`)) document.head.append(sheet)
  main.replaceChildren(...page.getElementById('main').childNodes)
}

const partsOf = (page) => [...page.querySelectorAll('[data-live]')].map(({ id }) => id).join()

function replacePart(part, next) {
  const focused = focusIn(part)
  const known = new Set([...part.querySelectorAll('li, tr')].map((each) => each.textContent))
  const place = focused?.closest('[id]')?.id
  const href = focused?.getAttribute('href')
  part.replaceChildren(...next.childNodes)
  for (const each of part.querySelectorAll('li, tr')) {
    if (!known.has(each.textContent)) each.classList.add('fresh')
  }
  if (focused === undefined) return
  const again = href ? part.querySelector(`a[href="${CSS.escape(href)}"]`) : document.getElementById(place ?? '')
  ;(again?.querySelector(':scope > summary') ?? again)?.focus()
}

let isWaiting = false
function refreshSoon() {
  if (isWaiting) return
  isWaiting = true
  setTimeout(() => {
    isWaiting = false
    // A failed request changes nothing; the next event tries again.
    refresh().catch(() => {})
  }, 250)
}

const watched = main?.querySelector('[data-watch]')?.dataset.watch
if (watched !== undefined && here?.dataset.events !== undefined) {
  const of = watched === 'all' ? '' : `?deal=${watched}`
  const source = new EventSource(here.dataset.events + of)
  // The service inserts the types: an EventSource needs a listener for each name.
  for (const type of 'EVENT TYPES'.split(' ')) source.addEventListener(type, refreshSoon)
  // Events may have been missed while the connection was lost.
  let wasOpen = false
  source.onopen = () => {
    document.documentElement.dataset.following = 'yes'
    if (wasOpen) refreshSoon()
    wasOpen = true
  }
  addEventListener('pagehide', () => source.close())
}
