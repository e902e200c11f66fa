import { here, made, say } from './base.js'

// What suggests as one types comes with the first field that one enters, unless the page has it from the beginning.

let loading
function suggestions() {
  const { suggestScript: src, suggestStyle: href } = here.dataset
  if (src === undefined) return Promise.resolve()
  loading ??= Promise.all([made('link', { rel: 'stylesheet', href }), made('script', { src })].map(load))
  return loading
}

const load = (element) =>
  new Promise((resolve, reject) => {
    element.onload = resolve
    element.onerror = reject
    document.head.append(element)
  })

addEventListener('focusin', ({ target }) => {
  // Without suggestions a field is what it is without script.
  if (target.matches('.find input, [list=people], [data-suggest], [data-codes]')) suggestions().catch(() => {})
})

export const openCommands = () => suggestions().then(() => openPalette())

addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'k') return
  event.preventDefault()
  if (document.querySelector('dialog[open]') === null) openCommands()
})

const paletteOpener = made(
  'button',
  { type: 'button', className: 'plain' },
  `${say('Commands')} `,
  made('kbd', { textContent: 'Ctrl K' }),
)
paletteOpener.onclick = openCommands
document.querySelector('.theme')?.after(paletteOpener)
