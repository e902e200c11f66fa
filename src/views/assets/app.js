// What the pages add to forms and links where a browser runs scripts: live updates, a question before dangerous
// operations, cards that can be dragged, keys, and copying.

const here = document.currentScript
const main = document.getElementById('main')

const made = (tag, members = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), members)
  element.append(...children)
  return element
}

const toast = made('div', { className: 'toast', role: 'status' })
document.body.append(toast)

let toastEnds
function tell(text) {
  toast.textContent = text
  clearTimeout(toastEnds)
  toastEnds = setTimeout(() => toast.replaceChildren(), 8000)
}

// Live updates: an event makes the page load again, and its live parts are replaced.

// Whether the person has opened or typed something that an update must not remove.
const isInUse = (part) =>
  part.contains(document.activeElement)
    ? document.activeElement !== document.body
    : [...part.querySelectorAll('details.op')].some((details) => details.open)

async function refresh() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
  if (!(answer.headers.get('content-type') ?? '').startsWith('text/html')) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = fresh.getElementById(part.id)
    if (next === null || next.innerHTML === part.innerHTML) continue
    if (part.dataset.live === 'unless-typing' && isInUse(part)) {
      tell('This has just changed. Your form is kept; when you send it, you will see what happened.')
      continue
    }
    replacePart(part, next)
  }
}

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
  again?.focus()
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

// The question before a dangerous operation, in place of its button.

addEventListener('submit', (event) => {
  const form = event.target
  if (form.dataset.confirm === undefined || form.dataset.sure === 'yes') return
  event.preventDefault()
  const button = event.submitter
  const text = button.textContent
  const keep = made('button', { type: 'button', className: 'plain', textContent: 'No' })
  const back = () => {
    delete form.dataset.sure
    button.textContent = text
    keep.remove()
    button.focus()
  }
  keep.onclick = back
  form.onkeydown = (pressed) => pressed.key === 'Escape' && back()
  form.dataset.sure = 'yes'
  button.textContent = form.dataset.confirm
  button.after(' ', keep)
  button.focus()
})

// The board: a button or a drop sends the card's form without leaving the page.

async function send(form, stage) {
  const body = new URLSearchParams(new FormData(form))
  body.set('stage', stage)
  const answer = await fetch(form.action, { method: 'POST', body, headers: { accept: 'application/json' } })
  const { id } = form.closest('.card')
  if (answer.ok) tell(`Moved to ${stage}.`)
  else tell(`Not moved: ${(await answer.json()).detail}`)
  await refresh()
  document.getElementById(id)?.querySelector('a')?.focus()
}

const board = document.getElementById('board')
if (board !== null) {
  board.addEventListener('submit', (event) => {
    event.preventDefault()
    send(event.target, event.submitter.value).catch(() => event.target.submit())
  })
  let dragged
  const columnOf = (event) => event.target.closest?.('.column')
  board.addEventListener('dragstart', (event) => {
    dragged = event.target.closest('.card')
    event.dataTransfer.effectAllowed = 'move'
    event.dataTransfer.setData('text/plain', dragged.id)
    dragged.classList.add('moving')
  })
  board.addEventListener('dragover', (event) => {
    const column = columnOf(event)
    if (dragged === undefined || !column) return
    event.preventDefault()
    for (const each of board.querySelectorAll('.over')) if (each !== column) each.classList.remove('over')
    column.classList.add('over')
  })
  board.addEventListener('drop', (event) => {
    const column = columnOf(event)
    if (dragged === undefined || !column) return
    event.preventDefault()
    if (dragged.closest('.column') !== column) {
      column.querySelector('ul').prepend(dragged)
      send(dragged.querySelector('form'), column.dataset.stage).catch(() => location.reload())
    }
  })
  board.addEventListener('dragend', () => {
    dragged?.classList.remove('moving')
    dragged = undefined
    for (const each of board.querySelectorAll('.over')) each.classList.remove('over')
  })
}

// "The same, in every form": the requests follow what is typed, and can be copied.

addEventListener('input', ({ target }) => {
  const every = document.getElementById('every-form')
  if (every === null || every.dataset.of !== target.form?.getAttribute('action')) return
  for (const place of every.querySelectorAll('[data-param]')) {
    if (place.dataset.param !== target.name) continue
    const value = target.type === 'number' && target.value !== '' ? Number(target.value) : target.value
    const text = JSON.stringify(value)
    place.textContent = 'shell' in place.dataset ? text.replaceAll("'", "'\\''") : text
  }
})

for (const code of document.querySelectorAll('pre[data-copy]')) {
  const button = made('button', { type: 'button', className: 'copy', textContent: 'Copy' })
  button.onclick = async () => {
    await navigator.clipboard.writeText(code.textContent)
    button.textContent = 'Copied'
    tell('Copied.')
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  }
  code.before(button)
}

// Keys, which can be turned off.

const keys = {
  '/': ['Filter', () => document.querySelector('.filters input:not([type=hidden])')?.focus()],
  j: ['Next row or card', () => step(1)],
  k: ['Row or card before', () => step(-1)],
  '?': ['These keys', () => help.showModal()],
}
for (const place of document.querySelectorAll('[data-key]'))
  keys[place.dataset.key] ??= [place.textContent, () => go(place)]

// Opening a folded form focuses its first field.
function go(place) {
  place.click()
  place.parentElement.querySelector('input:not([type=hidden])')?.focus()
}

function step(by) {
  const links = [...document.querySelectorAll('tbody th a, .card h3 a, .attention li a, .timeline li a')]
  const at = links.indexOf(document.activeElement)
  links[at === -1 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)]?.focus()
}

const areOn = () => localStorage.getItem('keys') !== 'off'
const toggle = made('input', { type: 'checkbox', checked: areOn() })
toggle.onchange = () => localStorage.setItem('keys', toggle.checked ? 'on' : 'off')
const list = made('dl')
for (const [key, [text]] of Object.entries(keys)) {
  list.append(made('dt', {}, made('kbd', { textContent: key })), made('dd', { textContent: text }))
}
const help = made(
  'dialog',
  { ariaLabel: 'Keys' },
  made('h2', { textContent: 'Keys' }),
  list,
  made('p', {}, made('label', {}, toggle, ' Use these keys')),
  made('form', { method: 'dialog' }, made('button', { textContent: 'Close' })),
)
document.body.append(help)
const opener = made('button', { type: 'button', className: 'plain keys' }, 'Keys ', made('kbd', { textContent: '?' }))
opener.onclick = () => help.showModal()
document.querySelector('.top').append(opener)

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || help.open) return
  if (event.target.closest('input, select, textarea')) return
  if (!areOn() && event.key !== '?') return
  const [, act] = keys[event.key] ?? []
  if (act === undefined) return
  event.preventDefault()
  act()
})
