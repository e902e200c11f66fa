import { endTelling, main, say, tell } from './base.js'
import { refresh, replaceMain, underWay } from './live.js'
import { pickIn } from './picker.js'

// A form that leads back to its own page is sent without leaving it, so that focus and scroll stay.

// Sends a form with further fields and shows the result; `refused` is called with the
// answer's page if it was refused. Returns whether it was done.
let timesSent = 0
export async function sendHere(form, submitter, { fields = {}, refused = showRefused } = {}) {
  const body = new URLSearchParams(new FormData(form, submitter))
  for (const name in fields) body.set(name, fields[name])
  // Input from now on is not part of the sent form.
  const typed = form.querySelectorAll('[data-typed]')
  for (const each of typed) delete each.dataset.typed
  endTelling()
  const key = submitter ?? form
  underWay.add(key)
  let isDone = false
  try {
    const headers = { accept: 'text/html' }
    // The answer to an accepted form leads to a page; this page itself is loaded again instead.
    const address = submitter?.getAttribute('formaction') ?? form.action
    const answer = await fetch(address, { method: 'POST', body, headers, redirect: 'manual' })
    isDone = answer.type === 'opaqueredirect'
    // The missing fields are filled in: the refused form is sent again.
    const again = isDone && form.id.startsWith('missing-') ? document.getElementById('again') : null
    if (again !== null) {
      again.elements._revision.value++
      return await sendHere(again, null, { fields, refused })
    }
    if (isDone) {
      fold(form)
      await refresh(form)
    } else {
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      // After the session ended the page asks to sign in and keeps the form.
      if (answer.status === 401) showSignIn(page, form)
      else refused(page, form)
    }
  } finally {
    underWay.delete(key)
    if (!isDone) for (const each of typed) each.dataset.typed = ''
  }
  document.documentElement.dataset.sent = ++timesSent
  return isDone
}

// Closes the menu or the panel that was opened for the form.
function fold(form) {
  const around = form.closest('.editing[open], .drop[open]')
  if (around === null) return
  around.open = false
  around.querySelector('summary').focus({ preventScroll: true })
}

function showRefused(page, form) {
  if (page.getElementById('main') === null) return tell(reasonIn(page))
  document.querySelector('dialog[open]')?.close()
  replaceMain(page, form)
  const again = main.querySelector(`form[action="${CSS.escape(form.getAttribute('action'))}"]`)
  if (again !== null) markRefused(again)
  pickIn(main)
  const alert = main.querySelector('[role=alert]') ?? main
  alert.tabIndex = -1
  focusIfFree(alert)
  alert.scrollIntoView({ block: 'nearest' })
}

// The bar becomes that of nobody.
function showSignIn(page, form) {
  showRefused(page, form)
  document.querySelector('header.top').replaceWith(page.querySelector('header.top'))
  main.querySelector('[autofocus]')?.focus()
}

// Refused input counts as typed: it stays until it is sent again.
function markRefused(form) {
  form.dataset.refused = ''
  for (const field of form.elements) if (field.id) field.dataset.typed = ''
}

// A user who moved on meanwhile keeps the focus.
export const focusIfFree = (element, how) => document.activeElement === document.body && element?.focus(how)

// The reason of a refusal, from the page that answers it: a page with the form to send again, or one about the problem.
export const reasonIn = (page) =>
  faultsIn(page).join('; ') ||
  [...page.querySelectorAll('[role=alert] > :is(h2, p), .errors > li, .detail')]
    .map(({ textContent }) => textContent)
    .join('. ') ||
  say('That did not work. Please try again.')

// The notes at the fields of a form that is not shown.
const faultsIn = (page) =>
  [...page.querySelectorAll('.field > .fault')].map(({ parentElement, textContent: what }) =>
    say('{about}: {what}', { about: parentElement.querySelector('label, legend').textContent, what: what.trim() }),
  )

addEventListener('submit', (event) => {
  const { target: form, submitter } = event
  if (form.method !== 'post' || event.defaultPrevented) return
  // A double submission is sent once; input in between stays.
  const isUnderWay = underWay.has(submitter)
  const isHere = 'here' in form.dataset
  if (isHere || isUnderWay) event.preventDefault()
  if (isUnderWay) return
  if (!isHere) return leaveWith(submitter)
  const place = form.closest('details')?.id
  sendHere(form, submitter)
    .then((isDone) => {
      if (isDone)
        focusIfFree((place && document.querySelector(`#${place} > summary`)) ?? message(), { preventScroll: true })
    })
    .catch(tellFailure)
})

// The message about the last change, for the focus of a user whose form is gone.
function message() {
  const told = document.getElementById('told')
  told.tabIndex = -1
  return told.firstChild === null ? undefined : told
}

// A page that reports a change begins at the thing that was changed, or at the message.
const reported = message()
const changed = reported?.querySelector('a')?.getAttribute('href')
focusIfFree((changed && main.querySelector(`:not(#told *)[href="${CSS.escape(changed)}"]`)) ?? reported)

// If the answer comes between the two clicks of a double click, the next undo is under the pointer.
addEventListener('click', (event) => {
  if (event.detail > 1 && event.target.closest?.('#told form')) event.preventDefault()
})

// The message about the last change can be put away.
addEventListener('click', ({ target }) => {
  if (!target.closest?.('.close')) return
  target.parentElement.replaceChildren()
  main.tabIndex = -1
  main.focus({ preventScroll: true })
})

// Ctrl+Enter, or ⌘+Enter, sends the form of a long text.
addEventListener('keydown', (event) => {
  const { target, key, ctrlKey, metaKey } = event
  if (key !== 'Enter' || !(ctrlKey || metaKey) || target.localName !== 'textarea' || target.form === null) return
  event.preventDefault()
  target.form.requestSubmit(target.form.querySelector('[type=submit]'))
})

// Until the answer's page is loaded; a user who stopped it or comes back can send it again.
function leaveWith(submitter) {
  underWay.add(submitter)
  setTimeout(() => underWay.delete(submitter), 10_000)
}
addEventListener('pageshow', () => underWay.clear())

// Nothing is lost: it can be sent again, and is done once.
export const tellFailure = () => tell(say('That did not work. Please try again.'))

// Opening a form focuses its first field.
addEventListener(
  'toggle',
  ({ target }) => {
    if (target.contains(document.activeElement.closest('form'))) return
    if (target.open && target.matches('details.op, details.folded, details.inline, .filters details'))
      target.querySelector('input:not([type=hidden]), select, textarea')?.focus()
  },
  true,
)
