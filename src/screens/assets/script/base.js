import { texts } from './from-service.js'

// Adds to forms and links if a browser runs scripts.

export const here = document.currentScript
export const main = document.getElementById('main')

export function say(text, places = {}) {
  const said = texts[text] ?? text.split('|', 1)[0]
  const form = typeof said === 'string' ? said : (said[plurals.select(places.count)] ?? said.other ?? text)
  return form.replace(/\{(\w+)\}/g, (_, name) => places[name])
}

const plurals = new Intl.PluralRules(document.documentElement.lang)

// The service writes days and times in the reader's zone, which it gets from a cookie.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs TLS.
document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax`

export const made = (tag, members = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), members)
  element.append(...children)
  return element
}

const toast = made('div', { className: 'toast', role: 'status' })
document.body.append(toast)

let toastEnds
export function tell(...texts) {
  toast.replaceChildren(...texts)
  clearTimeout(toastEnds)
  toastEnds = setTimeout(endTelling, 8000)
}

// The message about an attempt ends with the next one.
export const endTelling = () => toast.replaceChildren()
