import { made, say } from './base.js'
import { takeLists } from './live.js'
import { pickIn } from './picker.js'
import { reasonIn, sendHere } from './send-form.js'

// The forms of a thing are filled in and sent in a dialog, on a page that shows other things too: the form of one
// operation, from its page, or the details of the thing, each with the form that changes it.

async function pageAt(address) {
  const answer = await fetch(address, { headers: { accept: 'text/html' } })
  // After the session ended, this page asks to sign in, and returns here.
  if (answer.redirected) return location.reload()
  return new DOMParser().parseFromString(await answer.text(), 'text/html')
}

const noneIn = (page) =>
  made('p', { textContent: page.querySelector('#main .panel .empty')?.textContent ?? reasonIn(page) })

let timesOpened = 0

// `back` returns the element that gets the focus afterwards.
export async function openForms(address, title, back) {
  const time = ++timesOpened
  const page = await pageAt(address)
  // It opens once, however often the user clicks, for the last click, and not again when an earlier answer is late.
  if (page === undefined || time < timesOpened || document.querySelector('dialog[open]')) return
  showInDialog(page, page.getElementById('op') ?? page.querySelector('#facts > dl') ?? noneIn(page), title, back)
}

// The part of a page that tells why a form was refused, with its form; null for other answers.
export const refusedIn = (page) => page.querySelector('.refused:has(form)')

// Shows a part of a page, with its forms, in a dialog.
export function showInDialog(page, part, title, back) {
  const told = made('p', { className: 'fault', role: 'alert', hidden: true })
  const content = made('div', {}, part)
  const close = made('button', { type: 'button', className: 'plain', textContent: say('Close') })
  const dialog = made('dialog', { ariaLabel: title }, made('h2', { textContent: title }), told, content, close)
  const first = 'form.op > :not(details) :is(input:not([type=hidden]), select, textarea)'
  // The text is selected, as after the tab key, so that typing replaces it.
  const begin = (faulty = first) => {
    const field = content.querySelector(faulty) ?? content.querySelector(first)
    field?.focus()
    if (field instanceof HTMLInputElement) field.select()
  }
  close.onclick = () => dialog.close()
  dialog.addEventListener('close', () => {
    dialog.remove()
    back()?.focus({ preventScroll: true })
  })
  // The question has been asked by opening the dialog.
  for (const form of content.querySelectorAll('[data-confirm]')) delete form.dataset.confirm
  dialog.addEventListener('submit', async (event) => {
    event.preventDefault()
    const { target: form, submitter } = event
    // A refused form comes back filled in, with what has changed meanwhile; other answers leave it as it is.
    const refused = (answer) => {
      const again = refusedIn(answer)
      told.hidden = again !== null
      if (again === null) told.textContent = reasonIn(answer)
      else content.replaceChildren(again)
      takeLists(answer)
      pickIn(content)
      begin('[autofocus], [aria-invalid=true]')
    }
    // After a sign-in it is sent from here.
    const fields = { _return: location.pathname + location.search }
    // Without an answer the message is shown here: the page's own is hidden by the dialog.
    const isDone = await sendHere(form, submitter, { fields, refused }).catch(() =>
      refused(document.createElement('p')),
    )
    if (isDone) dialog.close()
  })
  document.body.append(dialog)
  takeLists(page)
  pickIn(content)
  dialog.showModal()
  begin()
}
