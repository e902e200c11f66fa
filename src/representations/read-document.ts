import type { JsonTexts } from '../values/json/texts.ts'
import { BETWEEN } from '../values/kinds/choices.ts'

/** A document as plain data, exact to the last digit. */
export type Data = null | boolean | number | string | ExactNumber | readonly Data[] | DataObject
export interface DataObject {
  readonly [name: string]: Data
}

/**
 * A number whose digits a double cannot hold or writes differently: its own text, which `JSON.stringify` writes
 * unchanged.
 */
export interface ExactNumber {
  readonly rawJSON: string
}

/**
 * Totals go up to 9e12 with three decimals, where doubles lie 0.002 apart, and rates down to 0.00000001, which a double
 * writes as 1e-8: such a number keeps its own text. Nearly every document has none, and is read the fast way.
 */
export function readDocument(json: string): Data {
  return mayDifferAsDouble(json) ? JSON.parse(json, keepExact) : JSON.parse(json)
}

/**
 * A double holds any 15 significant digits: only 13 or more before the decimals can be too many. It has an exponent
 * after six leading zeros.
 */
function mayDifferAsDouble(json: string): boolean {
  for (let dot = json.indexOf('.'); dot !== -1; dot = json.indexOf('.', dot + 1)) {
    let start = dot
    while (isDigit(json.charCodeAt(start - 1))) start--
    if (dot - start >= 13 || json.startsWith('000000', dot + 1)) return true
  }
  return false
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57

function keepExact(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source
  return typeof value !== 'number' || source === undefined || String(value) === source ? value : JSON.rawJSON(source)
}

export const isExactNumber = (value: unknown): value is ExactNumber => JSON.isRawJSON(value)

/** The things on a page or in a bare list. */
export function itemsOf(data: Data): readonly DataObject[] {
  const items = isDataObject(data) ? data.items : data
  return Array.isArray(items) ? items.filter(isDataObject) : []
}

/** The JSON of a page or a list: the texts of its items, and the text around them. */
export interface JoinedItems {
  readonly before: string
  readonly texts: JsonTexts
  readonly after: string
}

interface JoinedText {
  readonly json: string
  readonly joined?: JoinedItems | undefined
}

/** A page or a list, with its items separate: those of a long one are read one by one, while it is written. */
export function itemsApart({ json, joined }: JoinedText) {
  if (joined !== undefined) {
    const { before, texts, after } = joined
    return {
      frame: readDocument(before + after),
      count: texts.length,
      items: { [Symbol.iterator]: () => eachOf(texts) },
    }
  }
  const frame = readDocument(json)
  const found = isDataObject(frame) ? frame.items : frame
  const items: readonly Data[] = Array.isArray(found) ? found : []
  return { frame, count: items.length, items }
}

function* eachOf(texts: JsonTexts): Iterator<Data> {
  for (const text of texts) yield readDocument(text)
}

/** The number of characters of JSON that are written at once. */
const BATCH = 2 ** 15

/** JsonTexts in batches, each of them short unless a single text is long. */
export function* batchesOf(texts: JsonTexts): Iterable<readonly string[]> {
  let batch: string[] = []
  let length = 0
  for (const text of texts) {
    batch.push(text)
    length += text.length
    if (length < BATCH) continue
    yield batch
    batch = []
    length = 0
  }
  if (batch.length > 0) yield batch
}

export const isDataObject = (data: Data | undefined): data is DataObject =>
  typeof data === 'object' && data !== null && !Array.isArray(data) && !isExactNumber(data)

/** The value of a column: a member of the item, or with a dot a member of that member. */
export function valueIn(item: DataObject, column: string): Data {
  const own = item[column]
  const dot = own === undefined ? column.indexOf('.') : -1
  if (dot === -1) return own ?? null
  const member = item[column.slice(0, dot)]
  return isDataObject(member) ? valueIn(member, column.slice(dot + 1)) : null
}

/** The value of a cell: a set of words in a member of an item is one text. */
export function cellIn(item: DataObject, column: string): Data {
  const value = valueIn(item, column)
  const isSet = Array.isArray(value) && column.includes('.') && value.every((each) => typeof each === 'string')
  return isSet ? value.join(BETWEEN) : value
}

/** The names to show as columns: the given ones, or else every name that any item has. */
export function columnsOf(columns: readonly string[] | undefined, items: readonly DataObject[]): readonly string[] {
  return columns ?? [...new Set(items.flatMap((item) => Object.keys(item)))]
}

// Part of ECMAScript 2026; TypeScript does not declare it yet.
declare global {
  interface JSON {
    rawJSON(text: string): ExactNumber
    isRawJSON(value: unknown): value is ExactNumber
  }
}
