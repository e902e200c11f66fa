import { isUtf8 } from 'node:buffer'
import type { Schema } from '../../model/declaration/schema.ts'
import { collectionsOf } from '../../queries/collections.ts'
import { FILTER } from '../../queries/dialects/json-filter.ts'
import { SEARCH } from '../../queries/dialects/search.ts'
import { filterField } from '../../queries/expressions/comparison.ts'
import { type Parameter, type QueryString, queryOf, readQueryString } from '../../queries/query-string.ts'
import { memberNames, settingNames, spellingsOf } from '../../queries/settings.ts'
import { problemBounds, queryBounds } from '../../values/bounds.ts'
import { type Fault, fault, near, type Reason, reason } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import { isExactNumber } from '../../values/json/exact-numbers.ts'
import { isObject } from '../../values/json/is-object.ts'
import { boundMembers } from '../../values/json/parse-json.ts'
import { readNumbersRaw } from '../../values/json/read-numbers-raw.ts'
import { NO_OBJECT } from '../../values/members.ts'
import { faultsProblem, type Problem } from '../contract/problems/problem.ts'
import { countValues, readJson } from './body.ts'

type Asked = { readonly query: QueryString } | { readonly problem: Problem }

/**
 * The query in the content of a QUERY, combined with that of its address (RFC 10008). It is read as if all of it were
 * in the address, so that both mean the same, and an address for it can be given.
 */
export function readQueryBody(bytes: Buffer, isForm: boolean, { parameters }: QueryString, schema: Schema): Asked {
  if (isForm ? hasTooManyParts(bytes) : countValues(queryBounds.parts, bytes) > queryBounds.parts) return tooMany
  const read = isForm ? readFormQuery(bytes) : readJsonQuery(bytes, schema)
  if ('problem' in read) return read
  const sentIn = isForm ? 'form' : 'json'
  const all = [...parameters, ...read.parameters]
  const addressed = new Set(parameters.map(({ name }) => name)).difference(namesIn(read))
  const query: QueryString = { text: all.map(({ raw }) => raw).join('&'), parameters: all, sentIn, addressed }
  const faults = [...read.faults, ...misplacedFormat(read.parameters, reason('misplaced', { wants: 'address' }))]
  return faults.length === 0 ? { query } : { problem: faultsProblem(query, faults) }
}

interface ReadParameters {
  readonly parameters: readonly Parameter[]
  readonly faults: readonly Fault[]
}

const namesIn = ({ parameters, faults }: ReadParameters): ReadonlySet<string> =>
  new Set([...parameters.map(({ name }) => name), ...faults.map(({ at }) => at.parameter ?? '')])

function readFormQuery(bytes: Buffer): ReadParameters | { readonly problem: Problem } {
  if (!isUtf8(bytes)) return { problem: { code: 'malformed-body', detail: 'The form is not valid UTF-8.' } }
  // An address is ASCII; unescaped characters are escaped.
  const text = bytes.toString('utf8').replaceAll(/[^\0-\x7f]+/g, encodeURIComponent)
  return { parameters: readQueryString(text).parameters, faults: [] }
}

function readJsonQuery(bytes: Buffer, schema: Schema): ReadParameters | { readonly problem: Problem } {
  const read = readJson(bytes)
  if ('problem' in read) return read
  // Read again for its digits: an address has them as written.
  const members = isObject(read.body) ? readNumbersRaw(boundMembers(bytes.toString('utf8'))) : (read.body ?? {})
  return parametersIn(members, schema)
}

/** The query in members of JSON, as in the content of a QUERY. Their numbers may be raw. */
export function readQueryMembers(members: unknown, schema: Schema): Asked {
  const { parameters, faults: found } = parametersIn(members, schema)
  const faults = [...found, ...misplacedFormat(parameters, reason('unknown'))]
  const query: QueryString = { text: parameters.map(({ raw }) => raw).join('&'), parameters, sentIn: 'json' }
  return faults.length === 0 ? { query } : { problem: faultsProblem(query, faults) }
}

function parametersIn(members: unknown, schema: Schema): ReadParameters {
  if (!isObject(members)) return { parameters: [], faults: [{ ...NO_OBJECT, at: { parameter: '' } }] }
  const pairs: [string, string][] = []
  const faults: Fault[] = []
  for (const [name, value] of Object.entries(members)) {
    if (faults.length >= problemBounds.faults) break
    const text = known.has(name) ? textOf(name, value) : { fault: unknownMember(name, schema) }
    if (text === undefined) continue
    if (typeof text === 'object') faults.push({ ...text.fault, at: { parameter: name } })
    else pairs.push([name, text])
  }
  return { parameters: queryOf(pairs).parameters, faults }
}

const [AMPERSAND, COMMA] = [0x26, 0x2c]

function hasTooManyParts(bytes: Buffer): boolean {
  let count = 0
  for (const byte of bytes) if (byte === AMPERSAND || byte === COMMA) count++
  return count > queryBounds.parts
}

const tooMany = {
  problem: {
    code: 'invalid-parameter',
    detail: `The query has more than ${queryBounds.parts} parameters, members and values.`,
  },
} as const

const known: ReadonlySet<string> = settingNames.union(new Set([FILTER, SEARCH]))

/** A field of any collection was meant as a condition. */
function unknownMember(name: string, schema: Schema): Reason {
  const isField = Object.values(collectionsOf(schema)).some((collection) => filterField(collection, name) !== undefined)
  return isField ? reason('misplaced', { wants: 'filter' }) : reason('unknown', near(nearest(name, known)))
}

/** The settings whose values are separated by commas. */
const severalValued = memberNames.union(spellingsOf('sort'))

/** The value of a member as in an address; undefined for null, which sets nothing. */
function textOf(name: string, value: unknown): string | { readonly fault: Reason } | undefined {
  if (value === null) return undefined
  if (name === FILTER) return JSON.stringify(value, asInAddress)
  const isListed = severalValued.has(name)
  if (!isListed || !Array.isArray(value)) {
    return plainText(value) ?? fault('type', { wants: isListed ? 'texts-or-numbers' : 'text-or-number' })
  }
  const texts = value.map(plainText)
  return texts.includes(undefined) ? fault('type', { wants: 'list-of-texts-and-numbers' }) : texts.join()
}

function plainText(value: unknown): string | undefined {
  if (isExactNumber(value)) return value.rawJSON
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}

/** A number that a double cannot hold is not one; JSON would make it null. A small one has no exponent in an address. */
function asInAddress(_name: string, value: unknown): unknown {
  if (typeof value !== 'number') return value
  if (!Number.isFinite(value)) return String(value)
  const [, sign = '', first, rest = '', zeros] = small.exec(String(value)) ?? []
  return zeros === undefined ? value : JSON.rawJSON(`${sign}0.${'0'.repeat(Number(zeros) - 1)}${first}${rest}`)
}

const small = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/

/** The representation is chosen before the content is read. */
const misplacedFormat = (parameters: readonly Parameter[], why: Reason): readonly Fault[] =>
  parameters.some(({ name }) => name === 'format') ? [{ ...why, at: { parameter: 'format' } }] : []
