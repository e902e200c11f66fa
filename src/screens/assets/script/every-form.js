import { made, say, tell } from './base.js'

// "The same, in every form": the requests follow the typed values, and can be copied.

addEventListener('input', ({ target }) => {
  const every = document.getElementById('every-form')
  if (every === null || every.dataset.of !== target.form?.getAttribute('action')) return
  for (const place of every.querySelectorAll('[data-param]')) {
    if (place.dataset.param !== target.name) continue
    const text = typedJson(target)
    place.textContent = 'shell' in place.dataset ? text.replaceAll("'", "'\\''") : text
  }
})

// An amount is typed as the reader's region writes it. A number keeps its digits.
function typedJson({ value, type, inputMode, form }) {
  if (type !== 'number' && inputMode !== 'decimal') return JSON.stringify(value)
  const parts = new Intl.NumberFormat(form.elements._region?.value ?? 'en').formatToParts(1234567.5)
  const [group, decimal] = ['group', 'decimal'].map((each) => parts.find((part) => part.type === each).value)
  const number = type === 'number' ? value : value.replaceAll(group, '').replace(decimal, '.')
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(number) ? number : JSON.stringify(value)
}

for (const code of document.querySelectorAll('pre[data-copy]')) {
  const button = made('button', { type: 'button', className: 'copy', textContent: say('Copy') })
  button.onclick = async () => {
    await navigator.clipboard.writeText(code.textContent)
    button.textContent = say('Copied')
    tell(say('Copied.'))
    setTimeout(() => {
      button.textContent = say('Copy')
    }, 2000)
  }
  const frame = made('div', { className: 'code' })
  code.before(frame)
  frame.append(button, code)
}
