import type { Addresses } from '../../http/contract/addresses.ts'
import type { Answer } from '../../http/contract/answer.ts'
import type { Call, Endpoint } from '../../http/contract/endpoint.ts'
import type { Schema } from '../../model/schema.ts'
import { ME } from '../../model/user/user.ts'
import type { Collection } from '../../queries/collection.ts'
import { collectionOf, collectionsOf } from '../../queries/collections.ts'
import { readFilterParameter } from '../../queries/parse/parse-query.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { spellingsOf } from '../../queries/settings.ts'
import { withQuery } from '../../values/address.ts'
import { fold } from '../../values/fold.ts'

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
function leadToList({ params, query, service, schema }: Call): Answer {
  const list = listNamed(params.view ?? '', service.addresses, schema)
  if (list === undefined) {
    return { problem: { code: 'not-found', detail: 'There is no view of this name.' } }
  }
  const said = query.parameters.filter((each) => isSaid(list.collection, each))
  const earlier = said.find(({ name }) => name === EARLIER)
  const others = said
    .filter(({ name }) => !columnNames.has(name) && name !== EARLIER)
    .flatMap((each) => withPeople(list.collection, each, service))
  const address = withQuery(list.address, [...others, ...columnsIn(said, earlier?.value)])
  return { status: 303, headers: { location: earlier === undefined ? address : `${address}#columns` } }
}

/** Somebody is found by any part of the full name; a text that fits nobody stays. */
function withPeople(
  { fields }: Collection,
  parameter: Parameter,
  { roster: { people } }: Call['service'],
): readonly { readonly raw: string }[] {
  const { name, value = '' } = parameter
  const isKnown = value === ME || people.some((each) => each.name === value)
  if (fields.get(name)?.kind.namesUser !== true || isKnown) return [parameter]
  const part = fold(value)
  const found = people.filter((each) => fold(`${each.name} ${each.fullName ?? ''}`).includes(part))
  return found.length === 0
    ? [parameter]
    : found.slice(0, MOST_FOUND).map((each) => ({ raw: `${name}=${encodeURIComponent(each.name)}` }))
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
