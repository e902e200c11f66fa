import { made, say } from './base.js'

// A text field with suggestions: the ARIA combobox with a list. `find(text, signal)` returns the suggestions, each with
// its `text` and perhaps a `detail`, or else its `content`, or undefined if there can be none. A heading precedes the
// first one of each `group`. `choose(suggestion)` takes one; Enter takes the first if `pointsAtFirst`. An empty field
// shows them at once if it `opens`, and says that there are none if it `tellsNone`.

let comboboxes = 0
const PAUSE = 100

export function combobox(input, { find, choose, pointsAtFirst = false, opens = false, tellsNone = false }) {
  const id = `options-${++comboboxes}`
  const list = made('ul', { id, className: 'options', role: 'listbox', hidden: true, ariaLabel: say('Suggestions') })
  const told = made('span', { className: 'unseen', role: 'status' })
  input.after(list, told)
  const attributes = { role: 'combobox', autocomplete: 'off', 'aria-autocomplete': 'list', 'aria-controls': id }
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value)
  input.ariaExpanded = 'false'

  let suggestions = []
  let options = []
  let at = -1
  let waiting
  let asking
  // Whether Enter was pressed before there was something to take.
  let isAwaited = false
  let isTaking = false

  function close() {
    clearTimeout(waiting)
    asking?.abort()
    list.hidden = true
    input.ariaExpanded = 'false'
    told.textContent = ''
    point(-1)
  }

  function show(found) {
    suggestions = found
    options = found.map(option)
    list.replaceChildren(...options.flatMap((each, index) => [...heading(found, index), each]))
    const none = tellsNone && found.length === 0 && input.value !== ''
    if (none) list.append(made('li', { className: 'empty', role: 'none', textContent: say('Nothing found') }))
    list.hidden = found.length === 0 && !none
    input.ariaExpanded = String(found.length > 0)
    told.textContent = found.length > 0 ? say('{count} suggestions', { count: found.length }) : say('Nothing found')
    point(pointsAtFirst ? 0 : -1)
    if (isAwaited && found.length > 0) take(0)
  }

  const option = ({ text, detail = '', content = text }, index) => {
    const item = made('li', { id: `${id}-${index}`, role: 'option' }, content)
    if (detail !== '') item.append(' ', made('small', { textContent: detail }))
    item.onclick = () => take(index)
    return item
  }

  function point(index) {
    at = index
    for (const [place, item] of options.entries()) item.ariaSelected = String(place === at)
    const pointed = options[at]
    pointed?.scrollIntoView({ block: 'nearest' })
    if (pointed === undefined) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', pointed.id)
  }

  function take(index) {
    const suggestion = suggestions[index]
    close()
    // The chosen text is input for everybody else, but not a question for the next suggestions.
    isTaking = true
    choose(suggestion)
    isTaking = false
  }

  async function ask() {
    asking?.abort()
    asking = new AbortController()
    const { signal } = asking
    // An earlier query, or one that cannot be sent now, suggests nothing.
    const found = await Promise.resolve(find(input.value.trim(), signal)).catch(() => undefined)
    if (signal.aborted || document.activeElement !== input) return
    if (found === undefined) close()
    else show(found)
  }

  input.addEventListener('input', () => {
    if (isTaking) return
    // Results for the previous text no longer apply.
    point(-1)
    isAwaited = false
    clearTimeout(waiting)
    waiting = setTimeout(ask, PAUSE)
  })
  const openIfEmpty = () => {
    if (opens && input.value === '' && list.hidden) void ask()
  }
  for (const event of ['focus', 'click']) input.addEventListener(event, openIfEmpty)
  // A button below the list must not move while it is pressed, so the list goes a moment later.
  input.addEventListener('blur', () => setTimeout(() => document.activeElement !== input && close(), PAUSE))
  // The field keeps the focus while the user points at its list.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter' && pointsAtFirst && at === -1) isAwaited = true
    else if (step !== undefined && list.hidden) void ask()
    else if (step !== undefined && options.length > 0)
      point(at === -1 && step === -1 ? options.length - 1 : (at + step + options.length) % options.length)
    else if (list.hidden || (event.key !== 'Escape' && (event.key !== 'Enter' || at === -1))) return
    else if (event.key === 'Enter') take(at)
    else close()
    event.preventDefault()
  })
  // A user who typed before the suggestions were ready gets them too.
  const isTyped = input.value !== input.defaultValue && input.dataset.chosen === undefined
  if (document.activeElement === input) isTyped ? void ask() : openIfEmpty()
}

const heading = (found, index) => {
  const { group } = found[index]
  if (group === undefined || group === found[index - 1]?.group) return []
  return [made('li', { role: 'presentation', className: 'group', textContent: group })]
}
