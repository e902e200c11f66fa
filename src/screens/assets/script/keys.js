import { made, say } from './base.js'
import { openPalette } from './find.js'

// Keys, which can be turned off.

const keys = {
  '/': [say('Search'), () => document.querySelector('.find input')?.focus()],
  f: [say('Filter'), () => document.querySelector('.filters input:not([type=hidden])')?.focus()],
  j: [say('Next row or card'), () => step(1)],
  k: [say('Previous row or card'), () => step(-1)],
  '?': [say('These keys'), () => help.showModal()],
  'Ctrl K': [say('Commands'), openPalette],
}
for (const { dataset, firstChild } of document.querySelectorAll('[data-key]'))
  keys[dataset.key] ??= [firstChild.textContent, () => document.querySelector(`[data-key="${dataset.key}"]`)?.click()]

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
  { ariaLabel: say('Keys') },
  made('h2', { textContent: say('Keys') }),
  list,
  made('p', {}, made('label', {}, toggle, ` ${say('Use these keys')}`)),
  made('form', { method: 'dialog' }, made('button', { textContent: say('Close') })),
)
document.body.append(help)
const opener = made(
  'button',
  { type: 'button', className: 'plain' },
  `${say('Keys')} `,
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
  const [, act] = keys[event.key] ?? []
  if (act === undefined) return
  event.preventDefault()
  act()
})
