import { type ExactNumber, isExactNumber, parseExact } from '../values/json/exact-numbers.ts'
import type { JsonTexts } from '../values/json/texts.ts'
import { BETWEEN } from '../values/kinds/choices.ts'

/** A document as plain data, exact to the last digit. */
export type Data = null | boolean | number | string | ExactNumber | readonly Data[] | DataObject
export interface DataObject {
  readonly [name: string]: Data
}

/** A document as data. */
export const readDocument = (json: string): Data => parseExact(json) as Data

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
