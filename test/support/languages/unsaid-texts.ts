import { countries } from '../../../src/values/kinds/codes.ts'

/** What programs say is not translated, and formats are the platform's. */
const skipped = new Set(['code', 'pre', 'kbd', 'samp', 'script', 'style', 'time', 'q'])
const empty = new Set(['meta', 'link', 'input', 'br', 'hr', 'img', 'line', 'rect', 'path', 'circle', 'polyline', 'use'])
/** Attributes that people read or hear. */
const told = /\s(aria-label|title|alt|label|data-confirm|aria-description)="([^"]*)"/g

const tokens = /<!--.*?-->|<!DOCTYPE[^>]*>|<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>|([^<]+)/gs

/**
 * The texts of a page in the pseudo-language that are outside its brackets: nobody translated them. `isData` tells
 * what people typed.
 */
export function unsaidTexts(page: string, isData: (text: string) => boolean): readonly string[] {
  const found: string[] = []
  const open: { readonly tag: string; readonly isSkipped: boolean }[] = []
  /** How many brackets are open: what is said may have elements in it. */
  let depth = 0
  const note = (text: string): void => {
    let unsaid = ''
    for (const part of decoded(text).split(/([⟦⟧])/)) {
      if (part === '⟦') depth++
      else if (part === '⟧') depth--
      else unsaid += depth === 0 ? `${part}\n` : '\n'
    }
    for (const part of unsaid.split(/\n| · | – /)) {
      const rest = part.trim()
      if (/\p{L}{2}/u.test(rest) && !isFormat(rest) && !isData(rest)) found.push(rest)
    }
  }
  for (const [, end, tag = '', attributes = '', text] of page.matchAll(tokens)) {
    const isSkipped = open.at(-1)?.isSkipped ?? false
    if (text !== undefined) {
      if (!isSkipped) note(text)
      continue
    }
    if (tag === '') continue
    if (end === '/') {
      while (open.pop()?.tag !== tag && open.length > 0);
      continue
    }
    const isForeign = tag !== 'html' && /\s(?:lang|translate)="/.test(attributes)
    if (!isSkipped && !isForeign) for (const [, , value = ''] of attributes.matchAll(told)) note(value)
    if (!empty.has(tag) && !attributes.endsWith('/'))
      open.push({ tag, isSkipped: isSkipped || isForeign || skipped.has(tag) })
  }
  return found
}

const months = Array.from({ length: 12 }, (_, at) => new Date(Date.UTC(2026, at, 1))).flatMap((date) =>
  ['en-GB', 'en-US'].flatMap((locale) =>
    (['short', 'long'] as const).map((month) =>
      new Intl.DateTimeFormat(locale, { month, timeZone: 'UTC' }).format(date),
    ),
  ),
)

const regions = new Intl.DisplayNames('en', { type: 'region' })
const countryNames = new Set(countries.map((code) => regions.of(code)))

/** Numbers with units, months, names of countries, and codes of currencies and countries. */
function isFormat(text: string): boolean {
  if (countryNames.has(text)) return true
  if (/^(?:now|\d+ (?:min|hr|days?) ago)$/.test(text)) return true
  const words = text.split(/[\s.,:;()·–—/+-]+/).filter((word) => /\p{L}/u.test(word))
  return words.every(
    (word) => /^\d*(?:[A-Z]{2,6}|k|K|M|B|T|bn|tn|am|pm)$/.test(word) || months.includes(word) || word === 'Dealdesk',
  )
}

const references: { readonly [name: string]: string } = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#13': '\r',
  nbsp: ' ',
}
const decoded = (text: string): string =>
  text.replaceAll(/&(#?\w+);/g, (whole, name: string) => references[name] ?? whole)
