import { codeName, dateText, instantText, numberText, plainDecimalText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import { joined, type Text, type Words } from '../../languages/text.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { choiceTitle, groupTitle } from '../../representations/html/field-title.ts'
import { label } from '../../representations/html/label.ts'
import { escapeHtml, html, type Markup } from '../../representations/markup/markup.ts'
import { asText } from '../../values/json/exact-numbers.ts'
import { isCountry } from '../../values/kinds/codes.ts'
import type { Kind, KindName } from '../../values/kinds/kind.ts'
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
export function valueText({ kinds, moneyIn }: Resource, field: string, thing: FieldsOfThing, between = ', '): Words {
  const value = thing[field] ?? null
  const kind = kinds[field]
  if (value === null || kind === undefined) return ''
  if (value === true) return say('yes')
  if (value === false) return say('no')
  const currency = String(moneyIn === undefined ? '' : thing[moneyIn])
  return valueTexts[kind.name](value, kind, { field, thing, currency, between })
}

interface ValueContext {
  readonly field: string
  readonly thing: FieldsOfThing
  /** Of the thing's amounts; empty if they have none. */
  readonly currency: string
  readonly between: string
}

type WriteValue = (value: unknown, kind: Kind<unknown>, context: ValueContext) => Words

const wordOf: WriteValue = (value, kind, { thing }) => {
  if (kind.namesUser) return personName(String(value))
  if (isCountry(kind)) return codeName('region', String(value))
  const of = kind.within && thing[kind.within.field]
  const title = choiceTitle(kind, String(value), of)
  const group = kind.within && groupTitle(kind.within, of)
  if (title !== undefined) return group === undefined ? title : joined([group, title], ': ')
  return isWord(kind, String(value)) ? say(label(String(value))) : plainText(value)
}

/** How people read the values of each kind. */
const valueTexts: Readonly<Record<KindName, WriteValue>> = {
  text: wordOf,
  choice: wordOf,
  uuid: wordOf,
  json: wordOf,
  boolean: wordOf,
  choices: (value, kind, { between }) =>
    joined(
      (value as readonly string[]).map((each) => choiceTitle(kind, each) ?? each),
      between,
    ),
  amount(value, { decimals }, { currency }) {
    if (decimals !== undefined) return decimalWords(asText(value))
    return joined([decimal(value as Amount, currency), ...(currency === '' ? [] : [currency])], ' ')
  },
  integer: (value, { refersTo }, { field }) =>
    field === 'id' || refersTo !== undefined ? String(value) : numberText(Number(value)),
  date: (value) => dateText(String(value)),
  instant: (value) => instantText(String(value)),
}

/** A decimal that is no amount, with the digits that it has. */
export const decimalWords = (exact: string): Text => plainDecimalText(exact, (exact.split('.')[1] ?? '').length)

type Reaching = Pick<Kind<unknown>, 'contact'> | undefined

/** The address of a page, or the one that writes to a mailbox or calls a telephone; undefined for other texts. */
function contactHref(kind: Reaching, text: string): string | undefined {
  if (kind?.contact === undefined) return undefined
  if (kind.contact === 'url') return text
  if (kind.contact === 'email') return `mailto:${encodeURIComponent(text).replaceAll('%40', '@')}`
  // RFC 3966: separators are of no meaning; (0) of an international number is not dialled.
  const dialled = text.replace(/^(\s*(?:\+|00).*?)\(0\)/, '$1').replaceAll(/[^\d+*#]/g, '')
  return /\d/.test(dialled) ? `tel:${dialled}` : undefined
}

/** A value that can be called, written to or visited, as a link. */
export function contactMarkup(kind: Reaching, text: string): Markup | string {
  const href = contactHref(kind, text)
  return href === undefined ? text : html`<a href="${href}"${kind?.contact === 'url' && outside}>${text}</a>`
}

/** A page of somebody else. */
const outside = html` rel="noreferrer nofollow"`

/** The same, as a cell. */
export function contactCell(kind: Reaching, text: unknown): string {
  if (typeof text !== 'string') return ''
  const href = contactHref(kind, text)
  const rel = kind?.contact === 'url' ? ' rel="noreferrer nofollow"' : ''
  return href === undefined ? escapeHtml(text) : `<a href="${escapeHtml(href)}"${rel}>${escapeHtml(text)}</a>`
}

/** An arranged choice of one value: no form asks for it, and no page shows it. */
export const isOnlyChoice = ({ arranged, within, schema }: Kind<unknown>): boolean =>
  arranged === true && within === undefined && Array.isArray(schema.enum) && schema.enum.length === 1
