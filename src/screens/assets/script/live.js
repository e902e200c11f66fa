import { here, main, say, tell } from './base.js'
import { followEvents, RETRY } from './stream.js'

// Live updates: an event makes the page load again, and its live parts are replaced.

addEventListener('input', ({ target }) => {
  target.dataset.typed = ''
})

const focusIn = (part) => (part.contains(document.activeElement) ? document.activeElement : undefined)

// Whether the person has opened or typed something that an update must not remove.
const isInUse = (part) =>
  part.querySelector('details:is(.op, .fold)[open], [data-typed]') !== null || focusIn(part)?.matches(':not(summary)')

// Forms that are being sent, whose answers update the page, and a board with a card that is dragged: updates wait.
export const underWay = new Set()

// `sent` is a form of this page that was just sent: the page reports the result, and input in other forms stays.
let timesAsked = 0
let shownTime = 0
export async function refresh(sent) {
  const time = ++timesAsked
  const headers = { accept: 'text/html', ...(!sent && { 'x-refresh': 'live' }) }
  const answer = await fetch(location.href, { headers })
  // A temporary failure is not a page to show.
  if (answer.status > 428) throw new Error('busy')
  if (!(answer.headers.get('content-type') ?? '').startsWith('text/html')) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  // A later request may have been quicker.
  const isOld = time < shownTime
  shownTime = Math.max(time, shownTime)
  if (sent) {
    // A deleted thing has another page, without the same parts; after a refused form at the top, they are elsewhere.
    const [shown, next] = [partsOf(document), partsOf(fresh)]
    const areElsewhere = next.join() !== shown.join() && 'refused' in sent.dataset
    if (areElsewhere || next.sort().join() !== shown.sort().join()) return replaceMain(fresh)
    document.getElementById('told').replaceChildren(...fresh.getElementById('told').childNodes)
  }
  // A removed thing has another page, without these parts.
  if (answer.status === 404) return main.querySelector('[data-typed]') ? tellKept() : replaceMain(fresh)
  const refused = [...document.querySelectorAll('form[data-refused]')].filter((form) => form !== sent)
  const isKept = refused.length > 0
  // A refused form stays the only one of its operation.
  for (const form of refused) fresh.querySelector(`.op:has([action="${form.getAttribute('action')}"])`)?.remove()
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = fresh.getElementById(part.id)
    const isOther = !part.contains(sent)
    if (next === null || (isOther && isAlike(part, next))) continue
    const { live } = part.dataset
    if (isOther && isOld) continue
    // A refused form stays with its message until it is sent again.
    if (isOther && live === 'when-sent' && (!sent || isKept || part.querySelector('form'))) continue
    if (isOther && live === 'unless-typing' && isInUse(part)) {
      if (sent) continueFrom(part, next)
      else tellKept()
      continue
    }
    replacePart(part, next, sent)
  }
}

const tellKept = () =>
  tell(say('This has just changed. Your form is kept; when you send it, you will see what happened.'))

// Forms in use continue from the change that was just sent, unless somebody else made one too.
function continueFrom(part, next) {
  const revision = next.querySelector('[name=_revision]')?.value
  for (const each of part.querySelectorAll('[name=_revision]')) if (revision - each.value === 1) each.value = revision
}

// Takes over the lists of suggestions that the fields of another page name.
export function takeLists(page) {
  for (const list of page.querySelectorAll('body > datalist'))
    if (document.getElementById(list.id) === null) document.body.append(list)
}

export function replaceMain(page, sent) {
  takeLists(page)
  const next = page.getElementById('main')
  keepTyped(main, next, sent)
  main.replaceChildren(...next.childNodes)
}

// Open elements and unsent input stay. Picked values are in the browser's history entry.
function keepTyped(from, to, sent) {
  for (const each of from.querySelectorAll('details.op[open], [data-typed]:not([data-suggest])')) {
    const again = each.id && to.querySelector(`#${CSS.escape(each.id)}`)
    if (!again) continue
    if (each.open) again.open = !each.contains(sent) || each.querySelector('[data-typed]') !== null
    else {
      again.value = each.value
      again.dataset.typed = ''
    }
  }
}

const partsOf = (page) => [...page.querySelectorAll('[data-live]')].map(({ id }) => id)

function replacePart(part, next, sent) {
  const focused = focusIn(part)
  const known = new Set([...part.querySelectorAll('li, tr')].map((each) => each.textContent))
  const places = focused && placesOf(focused)
  keepTyped(part, next, sent)
  const scrolled = scrolledIn(part).map(({ scrollLeft: left, scrollTop: top }) => ({ left, top }))
  become(part, next, sent)
  for (const [at, each] of scrolledIn(part).entries()) each.scrollTo(scrolled[at])
  for (const each of part.querySelectorAll('li, tr')) {
    if (!known.has(each.textContent)) each.classList.add('fresh')
  }
  if (focused === undefined) return
  // An update moves nothing, wherever the user is.
  const preventScroll = true
  if (focused.isConnected) return focused.focus({ preventScroll })
  const again = places.map((each) => part.querySelector(each)).find((each) => each !== null) ?? part
  ;(again.querySelector(':scope > summary') ?? again).focus({ preventScroll })
}

// Gives an element the children of another one. Those that are alike stay: an update of a board costs what has changed,
// and moves nothing else. The form that was sent is for one change, so it is replaced.
export function become(part, next, sent) {
  const keyOf = ({ id, className, localName }) => id || className || localName
  const known = new Map([...part.children].map((each) => [keyOf(each), each]))
  const children = [...next.childNodes].map((each) => {
    const shown = known.get(keyOf(each))
    known.delete(keyOf(each))
    if (shown === undefined || (isAlike(shown, each) && !shown.contains(sent))) return shown ?? each
    // A user who is filtering keeps the form; only the filters without a field are replaced.
    if (shown.matches('.filters')) replaceAll(shown, each, ':scope > [type=hidden]')
    else if (shown.matches('[data-live], .views, .bar, .board, .column, .column ul')) become(shown, each, sent)
    else return each
    return shown
  })
  const kept = new Set(children)
  for (const each of [...part.childNodes]) if (!kept.has(each)) each.remove()
  for (const [at, each] of children.entries())
    if (part.childNodes[at] !== each) part.insertBefore(each, part.childNodes[at])
}

function replaceAll(part, next, these) {
  for (const each of part.querySelectorAll(these)) each.remove()
  part.prepend(...next.querySelectorAll(these))
}

// Each form has a command id of its own.
const isAlike = (one, other) => withoutIds(one) === withoutIds(other)
const withoutIds = ({ innerHTML }) => innerHTML.replaceAll(/name="_command" value="\w+"/g, '')

// The elements of a page that scroll.
const scrolledIn = (part) => [...part.querySelectorAll('.board, .table')]

// Where the focus goes when its element is replaced: to the same one, to the link of its row, or to the surrounding
// element.
const placesOf = (focused) =>
  [
    [focused, 'id'],
    [focused, 'href'],
    [focused, 'aria-label'],
    [focused.closest('li, tr')?.querySelector('a'), 'href'],
    [focused.closest('[id]'), 'id'],
  ].map(([element, name]) => `[${name}="${CSS.escape(element?.getAttribute(name))}"]`)

let isWaiting = false
function refreshSoon() {
  if (isWaiting) return
  isWaiting = true
  setTimeout(() => {
    isWaiting = false
    if (underWay.size > 0) refreshSoon()
    // A failed request changes nothing; it is retried.
    else refresh().catch(() => setTimeout(refreshSoon, RETRY))
  }, 250)
}

const watched = main?.querySelector('[data-watch]')?.dataset.watch
if (watched !== undefined && here?.dataset.events !== undefined) {
  followEvents(here.dataset.events, (subject) => {
    if (watched === 'all' || subject === watched || subject === null) refreshSoon()
  })
  // Due dates, and the day on which a deal is won, change at midnight.
  const today = () => new Date().getDate()
  let day = today()
  setInterval(() => {
    if (day !== today()) refreshSoon()
    day = today()
  }, 60_000)
}
