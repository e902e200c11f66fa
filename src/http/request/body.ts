import { isUtf8 } from 'node:buffer'
import { readQueryString } from '../../queries/query-string.ts'
import { bodyBounds, formBounds } from '../../values/bounds.ts'
import { isExactNumber } from '../../values/json/exact-numbers.ts'
import { boundMembers, findRepeated, parseCounted } from '../../values/json/parse-json.ts'
import { BETWEEN, SEVERAL } from '../../values/kinds/choices.ts'
import { WITH_CRLF } from '../../values/kinds/text.ts'
import type { Problem } from '../contract/problems/problem.ts'

const TOO_DEEP = `The body is nested deeper than ${bodyBounds.depth} levels.`

/** A JSON body or its fault. An empty body is none. */
export function readJson(bytes: Buffer): { readonly body: unknown } | { readonly problem: Problem } {
  if (bytes.length === 0) return { body: undefined }
  if (!isUtf8(bytes)) return malformed('The body is not valid UTF-8.')
  if (countValues(bodyBounds.values, bytes) > bodyBounds.values)
    return malformed(`The body has more than ${bodyBounds.values} values.`)
  const text = boundMembers(bytes.toString('utf8'))
  try {
    const { value: body, written } = parseCounted(text)
    const members = countMembers(body, 0)
    if (typeof members === 'string') return malformed(members)
    const repeated = written === members ? undefined : findRepeated(text)
    return repeated === undefined ? { body } : givenTwice(repeated)
  } catch (cause) {
    if (cause instanceof RangeError) return malformed(TOO_DEEP)
    return malformed(`The body is not JSON: ${cause instanceof Error ? cause.message : 'unreadable'}.`)
  }
}

/**
 * Counts commas and the beginnings of lists and objects, outside texts: nearly as many as there are values. One more than
 * `most` is not counted further.
 */
export function countValues(most: number, bytes: Buffer): number {
  let count = 0
  let isQuoted = false
  for (let at = 0; at < bytes.length && count <= most; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) isQuoted = !isQuoted
    else if (byte === BACKSLASH) at++
    else if (!isQuoted && (byte === COMMA || byte === BRACKET || byte === BRACE)) count++
  }
  return count
}

const [QUOTE, COMMA, BRACKET, BACKSLASH, BRACE] = [0x22, 0x2c, 0x5b, 0x5c, 0x7b]

const givenTwice = (pointer: string): { readonly problem: Problem } => ({
  problem: {
    code: 'malformed-body',
    detail: { text: 'The member {pointer} is given twice.', with: { pointer } },
    errors: [{ code: 'repeated', with: { wants: 'member' }, at: { pointer } }],
  },
})

interface SentForm {
  readonly fields: ReadonlyMap<string, string>
  /** The names of the empty fields. */
  readonly emptied: ReadonlySet<string>
}

/**
 * The fields of an HTML form as text. A repeated field is a fault, unless its name ends with brackets: then it is one
 * text with all its values. An empty one is absent.
 */
export function readForm(bytes: Buffer): SentForm | { readonly problem: Problem } {
  if (!isUtf8(bytes)) return malformed('The form is not valid UTF-8.')
  if (countOf(AMPERSAND, bytes) >= formBounds.fields)
    return malformed(`The form has more than ${formBounds.fields} fields.`)
  const { parameters } = readQueryString(bytes.toString('utf8'))
  if (parameters.some(({ fault }) => fault !== undefined)) {
    return malformed('The form has a percent escape that is not UTF-8.')
  }
  const fields = new Map<string, string>()
  const emptied = new Set<string>()
  const lists = new Map<string, string[]>()
  for (const { name, value = '' } of parameters) {
    if (name.endsWith(SEVERAL)) {
      const list = name.slice(0, -SEVERAL.length)
      lists.set(list, [...(lists.get(list) ?? []), ...(value === '' ? [] : [inLines(value)])])
    } else if (fields.has(name) || emptied.has(name)) return sentTwice(name)
    else if (value === '') emptied.add(name)
    else fields.set(name, inLines(value))
  }
  for (const name of lists.get(WITH_CRLF) ?? []) {
    const text = fields.get(name)
    if (text !== undefined) fields.set(name, text.replaceAll('\n', '\r\n'))
  }
  lists.delete(WITH_CRLF)
  for (const [name, values] of lists) {
    if (fields.has(name) || emptied.has(name)) return sentTwice(name)
    if (values.length === 0) emptied.add(name)
    else fields.set(name, values.join(BETWEEN))
  }
  return { fields, emptied }
}

/** Browsers send line breaks as CRLF. */
const inLines = (text: string): string => text.replaceAll('\r\n', '\n')

const sentTwice = (name: string): { readonly problem: Problem } =>
  malformed(`The field ${JSON.stringify(name)} is sent twice.`)

const AMPERSAND = 0x26

function countOf(wanted: number, bytes: Buffer): number {
  let count = 0
  for (const byte of bytes) if (byte === wanted) count++
  return count
}

const malformed = (detail: string): { readonly problem: Problem } => ({ problem: { code: 'malformed-body', detail } })

/** Counts the members. Refuses `__proto__` and the like, and excessive depth. */
export function countMembers(value: unknown, depth: number): number | string {
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return 0
  if (depth === bodyBounds.depth) return TOO_DEEP
  if (Object.hasOwn(value, '__proto__')) return 'The body has a member named __proto__.'
  const parts = Object.values(value)
  let count = Array.isArray(value) ? 0 : parts.length
  for (const part of parts) {
    const within = countMembers(part, depth + 1)
    if (typeof within === 'string') return within
    count += within
  }
  return count
}
