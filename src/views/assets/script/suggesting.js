import { made, say } from './base.js'
import { later } from './later.js'

// What suggests as one types comes with the first field that one enters.

addEventListener('focusin', ({ target }) => {
  // Without suggestions a field is what it is without script.
  if (target.matches('.find input, [list], [data-suggest]')) later('suggest').catch(() => {})
})

export const openCommands = () => later('suggest').then(() => openPalette())

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
