import { folded } from './picker.js'

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
