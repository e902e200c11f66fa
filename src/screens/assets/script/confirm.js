import { made, say } from './base.js'

// The question before a dangerous operation, instead of its button. It comes before other handlers of the form.

addEventListener(
  'submit',
  (event) => {
    const form = event.target
    if (form.dataset.confirm === undefined || form.dataset.sure === 'yes') return
    event.preventDefault()
    const button = event.submitter
    const text = button.textContent
    const keep = made('button', { type: 'button', className: 'plain', textContent: say('No') })
    const back = () => {
      delete form.dataset.sure
      button.textContent = text
      keep.remove()
      button.focus()
    }
    keep.onclick = back
    // After a double click or a held key the user has not read the question yet.
    button.onclick = (clicked) => {
      if (clicked.detail > 1) clicked.preventDefault()
    }
    form.onkeydown = (pressed) => {
      if (pressed.key === 'Escape') back()
      if (pressed.key === 'Enter' && pressed.repeat) pressed.preventDefault()
    }
    form.dataset.sure = 'yes'
    // Without script the button leads to a page that asks.
    button.removeAttribute('formmethod')
    button.removeAttribute('formaction')
    button.textContent = form.dataset.confirm
    button.after(' ', keep)
    button.focus()
  },
  true,
)
