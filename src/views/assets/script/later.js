import { here, made } from './base.js'

// What a page loads only when it is needed, unless it has it from the beginning.

const loading = {}
export function later(name) {
  const { [`${name}Style`]: href, [`${name}Script`]: src } = here.dataset
  loading[name] ??= Promise.all([
    ...(href ? [loaded(made('link', { rel: 'stylesheet', href }))] : []),
    ...(src ? [loaded(made('script', { src }))] : []),
  ])
  return loading[name]
}

const loaded = (element) =>
  new Promise((resolve, reject) => {
    element.onload = resolve
    element.onerror = reject
    document.head.append(element)
  })
