import { dateText, instantText, numberText, plainDecimalText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import { joined, type Text, type Words } from '../../languages/text.ts'
import type { Resource } from '../../model/schema.ts'
import { choiceTitle } from '../../representations/html/field-title.ts'
import { label } from '../../representations/html/label.ts'
import { escapeHtml, html, type Markup } from '../../representations/html/markup.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import { decimal } from './money.ts'
import { personName } from './person.ts'
import type { Amount, FieldsOfThing } from './shown.ts'

/** Whether a value is one of a few words, such as a stage, and not a code or free text. */
export const isWord = ({ schema }: Pick<Kind<unknown>, 'schema'>, value: string): boolean =>
  Array.isArray(schema.enum) && schema.enum.includes(value) && /^[a-z]/.test(value)

/** A value as a form and a page show it: one with parts as JSON, and an empty one as nothing. */
export function plainText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value)
}

/** The value of a field in the reader's format; empty if there is none. */
export function valueText({ kinds, moneyIn }: Resource, field: string, thing: FieldsOfThing): Words {
  const value = thing[field] ?? null
  const kind = kinds[field]
  if (value === null || kind === undefined) return ''
  if (value === true) return say('yes')
  if (value === false) return say('no')
  switch (kind.name) {
    case 'choices':
      return joined(
        (value as readonly string[]).map((each) => choiceTitle(kind, each) ?? each),
        ', ',
      )
    case 'amount': {
      if (kind.decimals !== undefined) return decimalWords(String(value))
      const currency = String(moneyIn === undefined ? '' : thing[moneyIn])
      return joined([decimal(value as Amount, currency), ...(currency === '' ? [] : [currency])], ' ')
    }
    case 'integer':
      return field === 'id' || kind.refersTo !== undefined ? String(value) : numberText(Number(value))
    case 'date':
      return dateText(String(value))
    case 'instant':
      return instantText(String(value))
    default:
      if (kind.namesUser) return personName(String(value))
      return (
        choiceTitle(kind, String(value)) ?? (isWord(kind, String(value)) ? say(label(String(value))) : plainText(value))
      )
  }
}

/** A decimal that is no amount, with the digits that it has. */
export const decimalWords = (exact: string): Text => plainDecimalText(exact, (exact.split('.')[1] ?? '').length)

/** The address that writes to an e-mail address or calls a phone number; undefined for other fields. */
export function contactHref(field: string, text: string): string | undefined {
  if (field === 'email') return `mailto:${encodeURIComponent(text).replaceAll('%40', '@')}`
  if (field !== 'phone') return undefined
  // RFC 3966: separators are of no meaning; (0) of an international number is not dialled.
  const dialled = text.replace(/^(\s*(?:\+|00).*?)\(0\)/, '$1').replaceAll(/[^\d+*#]/g, '')
  return /\d/.test(dialled) ? `tel:${dialled}` : undefined
}

/** A value that can be called or written to, as a link. */
export function contactMarkup(field: string, text: string): Markup | string {
  const href = contactHref(field, text)
  return href === undefined ? text : html`<a href="${href}">${text}</a>`
}

/** The same, as a cell. */
export function contactCell(field: string, text: unknown): string {
  if (typeof text !== 'string') return ''
  const href = contactHref(field, text)
  return href === undefined ? escapeHtml(text) : `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`
}
