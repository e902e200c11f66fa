import { made } from './base.js'

// Suggestions for a time zone: those that the browser knows.

if (document.querySelector('[list=zones]') !== null) {
  const options = Intl.supportedValuesOf('timeZone').map((value) => made('option', { value }))
  document.body.append(made('datalist', { id: 'zones' }, ...options))
}
