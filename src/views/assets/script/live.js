import { here, main, say, tell } from './base.js'

// Live updates: an event makes the page load again, and its live parts are replaced.

// Whether a control holds something else than the page gave it.
function isEntered({ type, options, selectedIndex, checked, defaultChecked, value, defaultValue }) {
  if (type === 'checkbox' || type === 'radio') return checked !== defaultChecked
  if (options === undefined) return value !== defaultValue
  const given = [...options].findLastIndex(({ defaultSelected }) => defaultSelected)
  return selectedIndex !== Math.max(0, given)
}

const hasEntries = (part) => [...part.querySelectorAll('input, select, textarea')].some(isEntered)

// Whether the person has opened or typed something that an update must not remove.
const isInUse = (part) =>
  part.querySelector('details.op[open]') !== null ||
  (part.contains(document.activeElement) && !document.activeElement.matches('summary')) ||
  hasEntries(part)

// What is typed into a form stays until that form is sent, and so does a refused form.
function isKept(part, sent) {
  if (part.contains(sent)) return false
  if (part.dataset.live === 'when-sent') return sent === null || part.querySelector('form') !== null
  return part.dataset.live === 'unless-typing' && (sent === null ? isInUse(part) : hasEntries(part))
}

// `sent` is a form that was just sent: the page tells what was done.
export async function refresh(sent = null) {
  const headers = { accept: 'text/html', ...(sent === null && { 'x-refresh': 'live' }) }
  const answer = await fetch(location.href, { headers })
  if (!(answer.headers.get('content-type') ?? '').startsWith('text/html')) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (sent !== null) {
    document.getElementById('told').replaceChildren(...fresh.getElementById('told').childNodes)
    // What was deleted has another page, without the same parts.
    if (partsOf(fresh) !== partsOf(document)) return replaceMain(fresh)
  }
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = fresh.getElementById(part.id)
    if (next === null || next.innerHTML === part.innerHTML) continue
    if (!isKept(part, sent)) replacePart(part, next)
    else if (sent === null && part.dataset.live === 'unless-typing')
      tell(say('This has just changed. Your form is kept; when you send it, you will see what happened.'))
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
  const focused = part.contains(document.activeElement) ? document.activeElement : undefined
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
