import { made, say, tell } from './base.js'

// "The same, in every form": the requests follow the typed values, and can be copied.

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
