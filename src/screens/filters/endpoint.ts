import type { Addresses } from '../../http/contract/addresses.ts'
import type { Answer } from '../../http/contract/answer.ts'
import type { Call, Endpoint } from '../../http/contract/endpoint.ts'
import { type Problem, wrongParameter } from '../../http/contract/problems/problem.ts'
import { REGION_FIELD, readDecimal } from '../../languages/decimals.ts'
import { instantAt } from '../../languages/zones.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { ME } from '../../model/nouns/user/user.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import type { Collection } from '../../queries/collection.ts'
import { collectionOf, collectionsOf } from '../../queries/collections.ts'
import { readFilterParameter } from '../../queries/parse/parse-query.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { spellingsOf } from '../../queries/settings.ts'
import { withQuery } from '../../values/address.ts'
import { fault } from '../../values/faults/fault.ts'
import { fold } from '../../values/fold.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import { locale } from '../../values/kinds/locale.ts'
import { lazily } from '../../values/lazily.ts'

const picked = lazily(() => import('../forms/read-picked.ts'))

/** Redirects a filter bar to its list without the empty fields, which browsers send too. decisions/0027 */
export const filterEndpoint: Endpoint = {
  method: 'GET',
  path: '/filters/:view',
  role: 'reader',
  summary: 'From a filter bar to its list',
  offers: 'resource',
  parameters: 'filters',
  forPeople: true,
  handle: leadToList,
}

interface FilteredList {
  readonly address: string
  readonly collection: Collection
}

function listNamed(name: string, { base, ...addresses }: Addresses, schema: Schema): FilteredList | undefined {
  const resource = schema.resources.find(({ plural }) => plural === name)
  if (resource !== undefined) return { address: base + resource.path, collection: collectionOf(resource) }
  const { deals, commands, events } = collectionsOf(schema)
  return new Map<string, FilteredList>([
    ['board', { address: addresses.board, collection: deals }],
    ['commands', { address: addresses.commands, collection: commands }],
    ['events', { address: addresses.events, collection: events }],
  ]).get(name)
}

/** Faulty filters are kept: the list reports them. */
async function leadToList(call: Call): Promise<Answer> {
  const { params, query, service, schema } = call
  const list = listNamed(params.view ?? '', service.addresses, schema)
  if (list === undefined) {
    return { problem: { code: 'not-found', detail: 'There is no view of this name.' } }
  }
  const given = query.parameters.filter((each) => isSaid(list.collection, each))
  const said = asPrograms(list.collection, given)
  if ('problem' in said) return said
  const earlier = said.find(({ name }) => name === EARLIER)
  const filters = said.filter(({ name }) => !columnNames.has(name) && name !== EARLIER)
  const others = await Promise.all(filters.map((each) => meant(list.collection, each, call)))
  const address = withQuery(list.address, [...others.flat(), ...columnsIn(said, earlier?.value)])
  return { status: 303, headers: { location: earlier === undefined ? address : `${address}#columns` } }
}

/**
 * Amounts as programs write them. The fields after the region are typed as it writes amounts; those before it are hidden
 * ones of the address. A text that is malformed in the region says what it can mean.
 */
function asPrograms(
  { fields }: Collection,
  given: readonly Parameter[],
): readonly Parameter[] | { readonly problem: Problem } {
  const at = given.findIndex(({ name }) => name === REGION_FIELD)
  const region = locale.read(given[at]?.value)
  if ('fault' in region) return given.filter(({ name }) => name !== REGION_FIELD)
  const typed: Parameter[] = []
  for (const parameter of given.slice(at + 1)) {
    const { name, value = '' } = parameter
    const kind = (fields.get(name) ?? fields.get(name.slice(0, name.lastIndexOf('.'))))?.kind
    const read = kind?.name === 'amount' ? readDecimal(value, region.value) : undefined
    const [first, second] = read !== undefined && 'meanings' in read ? read.meanings : []
    if (first !== undefined)
      return {
        problem: wrongParameter(
          name,
          fault('unclear-amount', { first, ...(second !== undefined && { second }) }).fault,
        ),
      }
    if (read !== undefined && 'value' in read)
      typed.push({ ...parameter, value: read.value, raw: `${encodeURIComponent(name)}=${read.value}` })
    else typed.push(parameter)
  }
  return [...given.slice(0, at), ...typed]
}

/** People type parts of names, and times by their clock; a text that fits nothing stays. */
async function meant(
  { fields }: Collection,
  parameter: Parameter,
  call: Call,
): Promise<readonly { readonly raw: string }[]> {
  const { name, value = '' } = parameter
  const kind = fields.get(name)?.kind
  const { roster } = call.service
  // Somebody did what happened, or a key without a user.
  if (kind?.namesUser || name === ACTOR) return orSame(parameter, peopleCalled(value, roster))
  if (kind === undefined) return [atClock(fields.get(name.replace(/\.[a-z]+$/, ''))?.kind, parameter, call)]
  return orSame(parameter, await foundBy(kind, value, call))
}

const orSame = (parameter: Parameter, found: readonly string[]): readonly { readonly raw: string }[] =>
  found.length === 0 ? [parameter] : found.map((each) => raw(parameter.name, each))

const ACTOR = 'actor'

/** Browsers send times without an offset, by the reader's clock. */
function atClock(kind: Kind<unknown> | undefined, parameter: Parameter, { reader }: Call): { readonly raw: string } {
  const instant = kind?.name === 'instant' ? instantAt(parameter.value ?? '', reader.timeZone) : undefined
  return instant === undefined ? parameter : raw(parameter.name, instant)
}

const raw = (name: string, value: string): { readonly raw: string } => ({ raw: `${name}=${encodeURIComponent(value)}` })

/** The things that a text means, by their words. */
async function foundBy(kind: Kind<unknown>, text: string, call: Call): Promise<readonly string[]> {
  if (kind.refersTo === undefined) return []
  const { readFound } = await picked()
  return readFound(text, resourceNamed(call.schema, kind.refersTo), call.desk)
}

/** The one who is shown so in a field, or all whose names have the text. */
function peopleCalled(text: string, { people, meant: nameOf }: Call['service']['roster']): readonly string[] {
  if (text === ME || people.some((each) => each.name === text)) return []
  const one = nameOf(text)
  if (one !== undefined) return [one]
  const part = fold(text)
  const found = people.filter((each) => fold(`${each.name} ${each.fullName ?? ''}`).includes(part))
  return found.slice(0, MOST_FOUND).map((each) => each.name)
}

const MOST_FOUND = 20

/** A name for several fields of a form ends with brackets. */
const columnNames = spellingsOf('fields').union(new Set(['fields[]']))

/** The button that moves a column one place forward. */
const EARLIER = 'earlier'

/** Browsers send a field for each column, in their order; in the address they are one list. */
function columnsIn(said: readonly Parameter[], earlier: string | undefined): readonly { readonly raw: string }[] {
  const columns = said.filter(({ name }) => columnNames.has(name)).flatMap(({ value = '' }) => value.split(','))
  const at = columns.indexOf(earlier ?? '')
  if (at > 0) columns.splice(at - 1, 2, ...columns.slice(at - 1, at + 1).toReversed())
  return columns.length === 0 ? [] : [{ raw: `fields=${columns.map(encodeURIComponent).join()}` }]
}

/** Some empty values are meaningful: `description=`, and `age>18=`, whose value is in its name. */
function isSaid(collection: Collection, parameter: Parameter): boolean {
  if (parameter.fault !== undefined) return false
  if (parameter.value !== '') return true
  const read = readFilterParameter(collection, parameter)
  return read !== undefined && !('fault' in read)
}
