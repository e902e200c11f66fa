import { instantText } from '../../languages/formats.ts'
import type { Reader } from '../../languages/reader.ts'
import { say } from '../../languages/say.ts'
import { isExactNumber } from '../../values/json/exact-numbers.ts'
import { escapeHtml, Markup } from '../markup/markup.ts'
import type { Data, DataObject } from '../read-document.ts'
import { label } from './label.ts'

/** Any value of a document as HTML: text, a list, or a list of definitions. */
export const valueMarkup = (value: Data): Markup => Markup.written((reader) => writeValue(value, reader))

/** An object as a list of definitions, except for some members. */
export const definitionsMarkup = (data: DataObject, without: ReadonlySet<string> = none): Markup =>
  Markup.written((reader) => writeDefinitions(data, without, writeValue, reader))

/**
 * The `links` of a document. Nested ones, such as operations, do not become anchors, because they do not answer GET.
 */
export const linksMarkup = (links: DataObject): Markup =>
  Markup.written((reader) => writeDefinitions(links, none, writeLink, reader))

/** Written as a string, because a table has a thousand cells. */
export function writeValue(value: Data, reader: Reader): string {
  if (typeof value === 'string') return isInstant(value) ? writeInstant(value, reader) : escapeHtml(value)
  if (value === null) return ''
  if (value === true) return escapeHtml(say('yes')(reader))
  if (value === false) return escapeHtml(say('no')(reader))
  if (typeof value === 'number') return String(value)
  if (isExactNumber(value)) return value.rawJSON
  if (isArray(value)) return writeList(value, reader)
  return writeDefinitions(value as DataObject, none, writeValue, reader)
}

export const anchor = (href: string, text: string): string =>
  isAddress(href) ? `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>` : escapeHtml(text)

// Nothing else becomes an anchor: `javascript:` runs code, `//host` and `/\host` lead to another site.
export const isAddress = (text: string): boolean => /^(\/(?![/\\])|https?:\/\/)/i.test(text)

function writeLink(value: Data, reader: Reader): string {
  return typeof value === 'string' ? anchor(value, value) : writeValue(value, reader)
}

function writeList(values: readonly Data[], reader: Reader): string {
  if (values.length === 0) return escapeHtml(say('none')(reader))
  let list = '<ul>'
  for (const value of values) list += `<li>${writeValue(value, reader)}</li>`
  return `${list}</ul>`
}

function writeDefinitions(
  data: DataObject,
  without: ReadonlySet<string>,
  write: typeof writeValue,
  reader: Reader,
): string {
  let list = ''
  for (const name in data) {
    if (without.has(name)) continue
    list += `<dt>${escapeHtml(say(label(name))(reader))}</dt><dd translate="no">${write(data[name] ?? null, reader)}</dd>`
  }
  return list === '' ? escapeHtml(say('none')(reader)) : `<dl>${list}</dl>`
}

const none: ReadonlySet<string> = new Set()
const isArray: (value: Data) => value is readonly Data[] = Array.isArray

// The service writes every instant with 24 characters, so the length nearly always decides.
const isInstant = (text: string): boolean =>
  text.length === 24 && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(text)

const writeInstant = (text: string, reader: Reader): string =>
  `<time datetime="${text}">${escapeHtml(instantText(text)(reader))}</time>`
