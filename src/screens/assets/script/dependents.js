import { folded } from './picker.js'

// Fields that follow another field of their form.

// A choice that depends on another field of its form offers what is possible there.

function narrow(choice) {
  const { value } = choice.form.elements[choice.dataset.within] ?? {}
  const groups = [...choice.querySelectorAll('optgroup')]
  const areSome = groups.some(({ dataset }) => 'here' in dataset)
  for (const group of groups) {
    const isPossible = value ? group.dataset.of === value : !areSome || 'here' in group.dataset
    group.hidden = !isPossible
    group.disabled = !isPossible
  }
  const [chosen] = choice.selectedOptions
  if (!chosen?.parentElement.hidden) return
  const same = [...choice.options].find((each) => each.value === chosen.value && !each.parentElement.hidden)
  choice.value = ''
  if (same) same.selected = true
}

// The options are seen while it has the focus.
addEventListener('focusin', ({ target }) => target.matches?.('select[data-within]') && narrow(target))
addEventListener('change', ({ target }) => {
  for (const each of target.form?.querySelectorAll('select[data-within]') ?? [])
    if (each.dataset.within === target.name) narrow(each)
})

// A field that belongs to some choices of another one is there, and sent, while one of them is chosen.

function fit(form) {
  for (const each of form.querySelectorAll('[data-for]')) {
    const { for: other, values } = each.dataset
    const isFor = values.split(' ').includes(form.elements[other]?.value)
    each.hidden = !isFor
    for (const control of each.querySelectorAll('input, select, textarea')) control.disabled = !isFor
    each.querySelector('.for')?.remove()
  }
}

const fitAll = () => {
  for (const { form } of document.querySelectorAll('[data-for] [name]')) fit(form)
}

fitAll()
// A browser that comes back to the page restores what was chosen.
addEventListener('pageshow', fitAll)
addEventListener('change', ({ target }) => target.form && fit(target.form))

// The name for programs follows from the title as it is typed, until somebody types another.

const wordsIn = (text) => folded(text.replaceAll('ß', 'ss')).match(/[a-z0-9]+/g) ?? []
const names = {
  slug: (text) => wordsIn(text).join('-').slice(0, 40).replace(/-$/, ''),
  camel: (text) =>
    wordsIn(text)
      .map((word, at) => (at === 0 ? word : word[0].toUpperCase() + word.slice(1)))
      .join('')
      .replace(/^\d/, 'n$&')
      .slice(0, 40),
}

addEventListener('input', ({ target }) => {
  const name = target.form?.querySelector('[data-from]')
  if (!name) return
  if (target === name) delete name.dataset.from
  else if (target.name === name.dataset.from) name.value = names[name.dataset.as](target.value)
})
