import type { ReferringItem } from '../../../http/ask/related.ts'
import { type Collection, fieldOf } from '../../../queries/collection.ts'
import { collectionOf } from '../../../queries/collections.ts'
import { queryOf } from '../../../queries/query-string.ts'
import {
  type Data,
  type DataObject,
  isDataObject,
  readDocument,
  valueIn,
} from '../../../representations/read-document.ts'
import { mapInTurns } from '../../../store/port/take-turns.ts'
import { answerBounds } from '../../../values/bounds.ts'
import type { ListReader } from '../../kit/reads.ts'
import { type RelatedItems, type RelatedList, readRelatedLists } from '../../kit/related-lists.ts'
import { type ChosenMember, type Embedding, embeddingsIn } from '../asked/select.ts'

/** Rows with the members in `select`, each as JSON text. Embedded things are read here. */
export async function showRows(
  rows: readonly string[],
  members: readonly ChosenMember[],
  call: ListReader,
): Promise<readonly string[]> {
  if (members.every(({ kind }) => kind === 'all') && members.length > 0) return rows
  const embeddings = embeddingsIn(members).filter(isShown)
  const items = embeddings.length === 0 ? [] : await mapInTurns(rows, (json) => JSON.parse(json) as ReferringItem)
  const related = new Map<Embedding, RelatedTo>()
  for (const each of embeddings)
    related.set(
      each,
      await readRelatedLists(listOf(each), items, (things) => showRows(things, each.members, call), call),
    )
  return mapInTurns(rows, (json, at) => {
    const row = readDocument(json)
    return JSON.stringify(isDataObject(row) ? shown(row, members, items[at] ?? {}, related) : row)
  })
}

type RelatedTo = (item: ReferringItem) => RelatedItems

/** The latest of many are read together; others as they are asked for. */
function listOf({ relation, conditions, sort, limit, offset }: Embedding): RelatedList {
  if (conditions.length === 0 && sort === undefined && offset === undefined) return { relation }
  if (relation.kind === 'one') return { relation, options: { conditions } }
  const latest = [{ field: fieldOf(collectionOf(relation.of), 'id'), descending: true }]
  const most = Math.max(1, Math.min(limit ?? answerBounds.related, answerBounds.related))
  return {
    relation,
    query: queryOf([
      ['limit', String(most)],
      ['offset', String(offset ?? 0)],
    ]),
    options: { conditions, sort: sort ?? latest },
  }
}

function shown(
  row: DataObject,
  members: readonly ChosenMember[],
  item: ReferringItem,
  related: ReadonlyMap<Embedding, RelatedTo>,
): DataObject {
  return Object.fromEntries(
    members.flatMap((member): readonly (readonly [string, Data])[] => {
      if (member.kind === 'all') return Object.entries(row)
      if (member.kind === 'column') return [[member.as, columnIn(row, member)]]
      if (!isShown(member)) return []
      const { relation, as, spread, limit } = member
      const things = (related.get(member)?.(item).items ?? []).slice(0, limit).map(readDocument)
      if (!spread) return [[as, relation.kind === 'one' ? (things[0] ?? null) : things]]
      const [only = null] = things
      return Object.entries(isDataObject(only) ? only : shown({}, member.members, {}, new Map()))
    }),
  )
}

/** As in PostgreSQL, what is not a text becomes one if it is asked for as text. */
function columnIn(
  row: DataObject,
  { name, asText = false }: { readonly name: string; readonly asText?: boolean },
): Data {
  const value = valueIn(row, name)
  return !asText || value === null || typeof value === 'string' ? value : JSON.stringify(value)
}

/** `customer!inner()` filters and shows nothing. */
const isShown = ({ members }: Embedding): boolean => members.length > 0

/** The columns of a table of such rows. */
export const shownNames = (
  members: readonly ChosenMember[],
  { columns }: Pick<Collection, 'columns'>,
): readonly string[] => [
  ...new Set(
    members.flatMap((member): readonly string[] => {
      if (member.kind === 'all') return columns
      if (member.kind === 'column') return [member.as]
      if (!member.spread) return isShown(member) ? [member.as] : []
      return shownNames(member.members, { columns: member.relation.of.names })
    }),
  ),
]
