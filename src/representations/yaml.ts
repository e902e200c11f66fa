import { isExactNumber } from '../values/json/exact-numbers.ts'
import type { Document } from './document.ts'
import { type Data, type DataObject, isDataObject, itemsApart, readDocument } from './read-document.ts'
import type { Representation } from './representation.ts'

/**
 * RFC 9512: the members of the JSON in block style. Text is plain only if no version of YAML reads it as anything else;
 * other text is quoted, with escapes, so that every parser reads back the exact text.
 */
export const yaml: Representation<string> = {
  name: 'yaml',
  mediaTypes: ['application/yaml'],
  contentType: 'application/yaml',
  problemType: undefined,
  carries: (kind) => kind !== 'problem',
  write: ({ json }) => yamlOf(json),
  parts: listParts,
}

export const yamlOf = (json: string): string => whole(readDocument(json))

const whole = (data: Data): string => (isNested(data) ? lines(data, '') : `${scalar(data)}\n`)

function* listParts(document: Document): Iterable<string> {
  const { frame, count, items } = itemsApart(document)
  if (count === 0) return yield whole(frame)
  if (!isDataObject(frame)) return yield* entries(items, '')
  for (const [name, value] of Object.entries(frame)) {
    if (name === 'items') {
      yield 'items:\n'
      yield* entries(items, '  ')
    } else yield lines({ [name]: value }, '')
  }
}

function* entries(items: Iterable<Data>, indent: string): Iterable<string> {
  for (const item of items) yield lines([item], indent)
}

type Nested = readonly Data[] | DataObject

/** Whether it is written on separate lines: empty ones are written as `[]` and `{}`. */
const isNested = (value: Data): value is Nested =>
  typeof value === 'object' && value !== null && !isExactNumber(value) && Object.keys(value).length > 0

function lines(value: Nested, indent: string): string {
  const deeper = `${indent}  `
  let text = ''
  if (isArray(value)) {
    // The first line of an entry follows its dash.
    for (const each of value)
      text += `${indent}- ${isNested(each) ? lines(each, deeper).slice(deeper.length) : `${scalar(each)}\n`}`
    return text
  }
  for (const [name, each] of Object.entries(value)) {
    text += `${indent}${scalar(name)}:${isNested(each) ? `\n${lines(each, deeper)}` : ` ${scalar(each)}\n`}`
  }
  return text
}

function scalar(value: Data): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return isPlain.test(value) && !isWord.test(value) ? value : quoted(value)
}

const isArray: (value: Nested) => value is readonly Data[] = Array.isArray

const isPlain = /^[a-z](?:[\w ./@-]*[\w./@-])?$/i
// Older versions have more words for true, false and null.
const isWord = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf)$/i

/** The escapes of JSON are also YAML's. Line breaks of older versions and marks that parsers drop are escaped too. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
