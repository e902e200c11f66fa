import { made, say } from './base.js'
import { openPalette } from './find.js'

// Keys, which can be turned off.

const keys = {
  '/': [say('Search'), () => document.querySelector('.find input')?.focus()],
  f: [say('Filter'), () => document.querySelector('.filters input:not([type=hidden])')?.focus()],
  j: [say('Next row or card'), () => step(1)],
  k: [say('Previous row or card'), () => step(-1)],
  '?': [say('Keyboard shortcuts'), () => help.showModal()],
  'Ctrl K': [say('Go to'), openPalette],
}
for (const { dataset, firstChild } of document.querySelectorAll('[data-key]'))
  keys[dataset.key] ??= [firstChild.textContent, () => document.querySelector(`[data-key="${dataset.key}"]`)?.click()]

// For the card in focus: the control that a key clicks, and the operation that it is about.
const cardKeys = {
  '.': [say('Move to the next stage'), '.on'],
  ',': [say('Move to the previous stage'), '.back'],
  w: [say('Won'), '.won'],
  l: [say('Lost'), '.lost'],
  o: [say('Assign'), '.change', 'assign'],
}

function onCard(key) {
  const [, control, operation] = cardKeys[key] ?? []
  const found = control && document.activeElement.closest('.card')?.querySelector(`form ${control}`)
  if (!found) return undefined
  return () => {
    if (operation) found.dataset.operation = operation
    found.click()
  }
}

function step(by) {
  const links = [...document.querySelectorAll('tbody th a, .card h3 a, .attention li a, .timeline li a')]
  const at = links.indexOf(document.activeElement)
  links[at === -1 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)]?.focus()
}

const areOn = () => localStorage.getItem('keys') !== 'off'
const toggle = made('input', { type: 'checkbox', checked: areOn() })
toggle.onchange = () => localStorage.setItem('keys', toggle.checked ? 'on' : 'off')
const listed = (some) =>
  made(
    'dl',
    {},
    ...Object.entries(some).flatMap(([key, [text]]) => [
      made('dt', {}, made('kbd', { textContent: key })),
      made('dd', { textContent: text }),
    ]),
  )
const ofCards = document.querySelector('#board[data-moves]')
  ? [made('h3', { textContent: say('For the card in focus') }), listed(cardKeys)]
  : []
const help = made(
  'dialog',
  { ariaLabel: say('Keyboard shortcuts') },
  made('h2', { textContent: say('Keyboard shortcuts') }),
  listed(keys),
  ...ofCards,
  made('p', {}, made('label', {}, toggle, ` ${say('Use keyboard shortcuts')}`)),
  made('form', { method: 'dialog' }, made('button', { textContent: say('Close') })),
)
document.body.append(help)
const opener = made(
  'button',
  { type: 'button', className: 'plain' },
  `${say('Keyboard shortcuts')} `,
  made('kbd', { textContent: '?' }),
)
opener.onclick = () => help.showModal()
document.querySelector('.theme')?.after(opener)

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
  // They are for the page, not for a dialog above it.
  if (document.querySelector('dialog:modal')) return
  if (event.target.closest('input, select, textarea')) return
  if (!areOn() && event.key !== '?') return
  const act = onCard(event.key) ?? keys[event.key]?.[1]
  if (act === undefined) return
  event.preventDefault()
  act()
})
