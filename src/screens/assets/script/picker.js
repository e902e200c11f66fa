import { made, main } from './base.js'
import { combobox } from './combobox.js'

// Fields that refer to a thing are filled by searching for it, and those with a list from its entries.

function pickThing(input) {
  const { suggest, chosen } = input.dataset
  const about = document.getElementById(`${input.id}-chosen`)
  // The id is sent, or the typed text if nothing was chosen: the service then answers with the matches.
  const sent = made('input', { type: 'hidden', name: input.name, value: input.value })
  input.removeAttribute('name')
  input.before(sent)
  const send = (value, told) => {
    sent.value = value
    about.textContent = told
    sent.dispatchEvent(new Event('input', { bubbles: true }))
  }
  // When the user comes back to the page, the browser restores its other fields, and its history entry these.
  const keep = (kept) => history.replaceState({ ...history.state, [input.id]: kept }, '')
  const keepChosen = () => keep([input.value, sent.value, about.textContent])
  const kept = main.contains(input) && history.state?.[input.id]
  if (kept) [input.value, sent.value, about.textContent] = kept
  else if (chosen !== undefined) input.value = chosen
  input.addEventListener('change', keepChosen)
  // After sending in place it is cleared.
  input.form.addEventListener('submit', ({ target }) => 'here' in target.dataset && keep())
  input.addEventListener('input', () => send(input.value, ''))
  // Words without a match become the name of a new thing.
  const making = input.closest('.picker').querySelector('.making')
  making?.addEventListener('toggle', () => {
    const name = making.querySelector('input')
    if (!making.open || sent.value !== input.value || name.value !== '') return
    name.value = input.value
    input.value = ''
    send('', '')
    keepChosen()
    name.focus()
  })
  combobox(input, {
    tellsNone: true,
    async find(text, signal) {
      if (text === '') return undefined
      const answer = await fetch(suggest + encodeURIComponent(text), {
        signal,
        headers: { accept: 'application/json' },
      })
      return answer.ok ? (await answer.json()).items.map(suggestion) : undefined
    },
    choose({ value, text, detail }) {
      input.value = text
      send(value, detail)
      keepChosen()
    },
  })
}

// The members come in the requested order: the id, the name, and details that distinguish namesakes.
function suggestion({ id, ...members }) {
  const [text, ...others] = Object.values(members)
  const number = typeof id === 'number' ? [id] : []
  return { value: id, text: String(text), detail: [...others.filter((each) => each !== null), ...number].join(' · ') }
}

function pickValue(input) {
  const known = [...input.list.options].map(({ value, label }) => {
    const text = label || value
    return { value, text, detail: text === value ? '' : value, words: folded(`${value} ${text}`) }
  })
  // The few that are meant for this field.
  const opens = input.list.id === `${input.id}-list`
  input.removeAttribute('list')
  combobox(input, {
    opens,
    tellsNone: !opens,
    // Entries that begin with the text come before those that contain it.
    find(text) {
      const part = folded(text)
      const found = known.filter(({ words }) => words.includes(part))
      const places = (each) => ` ${each.words}`.indexOf(` ${part}`) >>> 0
      return found.toSorted((a, b) => places(a) - places(b)).slice(0, MOST_SHOWN)
    },
    choose({ value }) {
      input.value = value
      input.dispatchEvent(new Event('input', { bubbles: true }))
    },
  })
}

const MOST_SHOWN = 8
export const folded = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

export function pickIn(part) {
  for (const input of part.querySelectorAll('input[data-suggest]:not([role])')) pickThing(input)
  for (const input of part.querySelectorAll('input[list]:not([role])')) pickValue(input)
}

pickIn(document)
// A replaced part of the page has new fields.
addEventListener('focusin', ({ target }) => target.closest('form') && pickIn(target.closest('form')))
