import type { Expansion } from '../../queries/members/expansion.ts'
import { project } from '../../representations/project.ts'
import { mapInTurns } from '../../store/port/take-turns.ts'
import { answerBounds } from '../../values/bounds.ts'
import type { JsonTexts } from '../../values/json/texts.ts'
import type { Call } from '../contract/endpoint.ts'
import { type ReadRelated, type ReferringItem, readRelated, showRelated } from './related.ts'

/** Shows related things in the items of an answer, given as JSON texts. */
export const expandItems = (
  expansions: readonly Expansion[],
  items: JsonTexts,
  call: Pick<Call, 'desk' | 'budget'>,
): Promise<readonly string[]> => expandWith((relation, keys) => readRelated(relation, keys, call), expansions, items)

/** The same with a reader of the related things, if not all items are in memory. */
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

/** The number of items that a stream expands at a time, so that its memory stays bounded. */
export const expandedAtATime = (expansions: readonly Expansion[]): number =>
  expansions.some(({ relation }) => relation.kind === 'many')
    ? answerBounds.relatedAtATime / answerBounds.related
    : answerBounds.relatedAtATime

/** Writes the member of an item that shows the relation. */
async function memberOf(
  related: ReadRelated,
  { relation, fields }: Expansion,
  items: readonly ReferringItem[],
): Promise<(item: ReferringItem) => string> {
  const { name, kind } = relation
  const show = (texts: readonly string[]): readonly string[] =>
    fields === undefined ? texts : texts.map((json) => project(json, fields))
  const shown = await showRelated(relation, items, related, show)
  return (item) => {
    const { things, hasMore } = shown(item)
    return kind === 'one'
      ? `,"${name}":${things[0] ?? 'null'}`
      : `,"${name}":{"items":[${things}],"hasMore":${hasMore}}`
  }
}
