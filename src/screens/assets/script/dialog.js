import { made, say } from './base.js'

// Asks for a few values, in a dialog or within an element; returns them, or undefined if it was cancelled.

export function ask(title, fields, within) {
  const save = made('button', { type: 'submit', textContent: say('Save') })
  const cancel = made('button', { type: 'button', className: 'plain', textContent: say('Cancel|close') })
  const form = made(
    'form',
    { method: 'dialog' },
    ...(within ? [] : [made('h2', { textContent: title })]),
    ...fields.map(asked),
    made('p', { className: 'send' }, save, cancel),
  )
  // Within an element it is shown as part of the page.
  const dialog = made('dialog', { ariaLabel: title }, form)
  within?.classList.add('asking')
  ;(within ?? document.body).append(dialog)
  if (within) dialog.show()
  else dialog.showModal()
  cancel.addEventListener('click', () => dialog.close())
  dialog.addEventListener('keydown', ({ key }) => key === 'Escape' && dialog.close())
  return new Promise((resolve) => {
    form.addEventListener('submit', () => resolve(Object.fromEntries(new FormData(form))))
    dialog.addEventListener('close', () => {
      dialog.parentElement.classList.remove('asking')
      dialog.remove()
      resolve()
    })
  })
}

function asked({ label, choices, list, ...members }) {
  const control = choices
    ? made('select', members, ...choices.map(([value, text]) => made('option', { value, textContent: text })))
    : made('input', members)
  if (choices) control.value = members.value
  if (list) control.setAttribute('list', list)
  return made('p', { className: 'field' }, made('label', {}, label, control))
}
