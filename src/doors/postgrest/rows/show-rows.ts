import { expandItems } from '../../../http/ask/expand.ts'
import type { Collection } from '../../../queries/collection.ts'
import {
  type Data,
  type DataObject,
  isDataObject,
  readDocument,
  valueIn,
} from '../../../representations/read-document.ts'
import { mapInTurns } from '../../../store/port/take-turns.ts'
import type { DoorCall } from '../../door.ts'
import { type ChosenMember, type Embedding, embeddingsIn } from '../asked/select.ts'

/** Rows with the members in `select`, each as JSON text. Embedded things are read here. */
export async function showRows(
  rows: readonly string[],
  members: readonly ChosenMember[],
  call: Pick<DoorCall, 'desk' | 'service' | 'budget'>,
): Promise<readonly string[]> {
  if (members.every(({ kind }) => kind === 'all') && members.length > 0) return rows
  const relations = [
    ...new Set(
      embeddingsIn(members)
        .filter(isShown)
        .map(({ relation }) => relation),
    ),
  ]
  const expansions = relations.map((relation) => ({ relation }))
  const whole = expansions.length === 0 ? rows : await expandItems(expansions, rows, call)
  const embedded = new Set(relations.map(({ name }) => name))
  return mapInTurns(whole, (json) => {
    const row = readDocument(json)
    return JSON.stringify(isDataObject(row) ? shown(row, members, embedded) : row)
  })
}

function shown(row: DataObject, members: readonly ChosenMember[], embedded: ReadonlySet<string>): DataObject {
  return Object.fromEntries(
    members.flatMap((member): readonly (readonly [string, Data])[] => {
      if (member.kind === 'all') return Object.entries(row).filter(([name]) => !embedded.has(name))
      if (member.kind === 'column') return [[member.as, columnIn(row, member)]]
      if (!isShown(member)) return []
      const { relation, as, spread, limit } = member
      const related = row[relation.name] ?? null
      const show = (thing: Data): Data => (isDataObject(thing) ? shown(thing, member.members, none) : null)
      if (spread) return Object.entries(shown(isDataObject(related) ? related : {}, member.members, none))
      if (relation.kind === 'one') return [[as, show(related)]]
      const things = isDataObject(related) && Array.isArray(related.items) ? related.items : []
      return [[as, things.slice(0, limit).map(show)]]
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

const none: ReadonlySet<string> = new Set()

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
