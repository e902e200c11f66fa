import { made, say } from './base.js'
import { combobox } from './combobox.js'
import { folded } from './picker.js'

// A search while the user types, in the bar of every page, and the palette of commands, which searches too.

const box = document.querySelector('.find input')

// The service renders the results; each thing becomes a suggestion.
async function search(text, signal) {
  const answer = await fetch(`${box.form.action}?q=${encodeURIComponent(text)}`, {
    signal,
    headers: { accept: 'text/html' },
  })
  if (!answer.ok) return []
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const meant = page.querySelector('#found > p > a')
  if (meant !== null) return [{ text: meant.parentElement.textContent, act: () => location.assign(meant.href) }]
  return [...page.querySelectorAll('#found section')].flatMap((section) =>
    [...section.querySelectorAll('li')].slice(0, MOST_OF_A_KIND).map((item) => {
      const { href, textContent } = item.querySelector('a')
      const detail = item.querySelector('.quiet').textContent
      return {
        group: section.querySelector('h2').textContent,
        text: textContent,
        detail,
        act: () => location.assign(href),
      }
    }),
  )
}

const MOST_OF_A_KIND = 5
const choose = ({ act }) => act()

if (box !== null)
  combobox(box, {
    async find(text, signal) {
      if (text === '') return undefined
      const found = await search(text, signal)
      const all = { text: say('Show all that match'), act: () => box.form.submit() }
      return found.length === 0 ? found : [...found, all]
    },
    choose,
  })

// The commands: elements of the page with a key, and all links of its bar. A command is its own element.
function commands() {
  const found = ['main [data-key]', '.top nav a', '.account form button'].flatMap((each) => [
    ...document.querySelectorAll(each),
  ])
  const named = found.map((element) => {
    const within = element.closest('nav, form')?.ariaLabel
    const text = element.firstChild.textContent.trim()
    return {
      group: element.closest('main') ? say('On this page') : (within ?? say('More')),
      text: element.name ? `${within}: ${text}` : text,
      detail: element.dataset.key,
      act: () => element.click(),
    }
  })
  return named.filter(({ text }, at) => named.findIndex((each) => each.text === text) === at)
}

export function openPalette() {
  const field = made('input', {
    type: 'text',
    placeholder: say('Search, or go to …'),
    ariaLabel: say('Search, or go to …'),
  })
  const dialog = made('dialog', { className: 'palette', ariaLabel: say('Go to') }, field)
  document.body.append(dialog)
  combobox(field, {
    pointsAtFirst: true,
    async find(text, signal) {
      const words = folded(text).split(/\s+/)
      const fitting = commands().filter((each) => words.every((word) => folded(each.text).includes(word)))
      return text === '' || box === null ? fitting : [...fitting, ...(await search(text, signal))]
    },
    choose(command) {
      dialog.close()
      command.act()
    },
  })
  dialog.addEventListener('keydown', ({ key }) => key === 'Escape' && dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  dialog.showModal()
  field.dispatchEvent(new Event('input'))
}

addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'k') return
  event.preventDefault()
  if (document.querySelector('dialog[open]') === null) openPalette()
})

const paletteOpener = made(
  'button',
  { type: 'button', className: 'plain' },
  `${say('Go to')} `,
  made('kbd', { textContent: 'Ctrl K' }),
)
paletteOpener.onclick = openPalette
document.querySelector('.theme')?.after(paletteOpener)
