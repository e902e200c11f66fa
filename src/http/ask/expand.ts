import type { Key } from '../../model/resource.ts'
import { type Expansion, LARGEST_RELATED } from '../../queries/members/expansion.ts'
import { project } from '../../representations/project.ts'
import { mapInTurns } from '../../store/port/take-turns.ts'
import type { JsonTexts } from '../../values/json/texts.ts'
import type { Call } from '../contract/endpoint.ts'
import { type ReadRelated, readRelated } from './related.ts'

/** Shows related things in the items of an answer, given as JSON texts. */
export const expandItems = (
  expansions: readonly Expansion[],
  items: JsonTexts,
  call: Pick<Call, 'desk' | 'budget'>,
): Promise<readonly string[]> => expandWith((relation, keys) => readRelated(relation, keys, call), expansions, items)

/** The same with what reads the related things, where not all items are in memory. */
export async function expandWith(
  related: ReadRelated,
  expansions: readonly Expansion[],
  items: JsonTexts,
): Promise<readonly string[]> {
  const read = await mapInTurns(items, (json) => JSON.parse(json) as ReferringItem)
  const members = await Promise.all(expansions.map((expansion) => memberOf(related, expansion, read)))
  return mapInTurns(items, (json, at) => {
    const item = read[at] ?? {}
    return `${json.slice(0, -1)}${members.map((write) => write(item)).join('')}}`
  })
}

/** So many items are expanded at a time in a stream, so that what is in memory stays bounded. */
export const expandedAtATime = (expansions: readonly Expansion[]): number =>
  expansions.some(({ relation }) => relation.kind === 'many') ? MOST_RELATED / LARGEST_RELATED : MOST_RELATED

const MOST_RELATED = 1000

/** An item's key and the keys that it refers to; its other members are not looked at. */
type ReferringItem = { readonly [name: string]: Key | null }

/** Writes the member of an item that shows the relation. */
async function memberOf(
  related: ReadRelated,
  { relation, fields }: Expansion,
  items: readonly ReferringItem[],
): Promise<(item: ReferringItem) => string> {
  const { name, kind, field } = relation
  const keyOf = (item: ReferringItem): Key | null => item[kind === 'one' ? field : 'id'] ?? null
  const keys = [...new Set(items.map(keyOf))].filter((key) => key !== null)
  const found = await related(relation, keys)
  const write = (json: string): string => (fields === undefined ? json : project(json, fields))
  return (item) => {
    const things = found.get(String(keyOf(item))) ?? []
    if (kind === 'one') return `,"${name}":${things[0] === undefined ? 'null' : write(things[0])}`
    const shown = things.slice(0, LARGEST_RELATED).map(write)
    return `,"${name}":{"items":[${shown}],"hasMore":${things.length > LARGEST_RELATED}}`
  }
}
