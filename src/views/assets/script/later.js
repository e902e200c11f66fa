import { here, made } from './base.js'

// What a page loads only when it is needed, unless it has it from the beginning.

const loading = {}
export function later(name) {
  const { [`${name}Style`]: href, [`${name}Script`]: src } = here.dataset
  loading[name] ??= Promise.all([
    ...(href ? [loaded(made('link', { rel: 'stylesheet', href }))] : []),
    ...(src ? [loaded(made('script', { src }))] : []),
  ])
  // Without a connection it is tried again the next time.
  loading[name].catch(() => delete loading[name])
  return loading[name]
}

// The keys of a page come with the first key that is pressed, or with the menu that tells of them.
addEventListener('keydown', (event) => {
  if (loading.keys === undefined) later('keys').then(() => pressKey(event), Boolean)
})
document.querySelector('.account')?.addEventListener('toggle', () => later('keys').catch(Boolean))

const loaded = (element) =>
  new Promise((resolve, reject) => {
    element.onload = resolve
    element.onerror = reject
    document.head.append(element)
  })
