import type { Key } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { Person } from '../../model/nouns/user/person.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import type { Store } from '../../store/port/store.ts'
import { fileBounds } from '../../values/bounds.ts'
import { type Fault, type Reason, reason } from '../../values/faults/fault.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import type { GivenValues } from '../columns/layout.ts'
import { placed } from '../columns/placed.ts'
import { isThingName } from '../columns/thing-name.ts'
import type { FaultyRow, FileRow, Rejection, Wave } from '../read/read-waves.ts'
import { type FoundThing, findNamed, thingsWith } from './find-named.ts'
import { userNaming } from './name-users.ts'
import { createNamed, type RowOptions } from './perform-row.ts'

/** How things that rows name are found, and what happens to names that nothing has. */
export interface NamingOptions extends RowOptions {
  readonly store: Store
  readonly create?: 'missing' | undefined
  readonly badCells?: 'empty' | undefined
  readonly people: readonly Person[]
  /** Called for each thing that is made because a row names it. */
  readonly onCreated?: () => void
}

/** The result of looking for a thing: its id, or what is wrong with the name. */
type SettledName = { readonly id: Key | null } | { readonly fault: Reason }

/**
 * Replaces the names of other things in rows by their ids. A name that nothing or more than one thing has is a fault,
 * unless the thing is to be created.
 */
export async function* resolveNames(
  waves: AsyncIterable<Wave>,
  resource: Resource,
  options: NamingOptions,
): AsyncGenerator<Wave> {
  const known = new Map<string, Map<string, SettledName>>()
  const named = namingFields(resource)
  const nameUsers = userNaming(resource, options)
  for await (const wave of waves) {
    for (const [to, { size }] of known) if (size > fileBounds.names) known.delete(to)
    for (const { field, to } of named) {
      const texts = wave.rows.flatMap(({ values: { [field]: value } }) => (isThingName(value) ? [value.thingName] : []))
      if (texts.length > 0) await learn(namesIn(known, to), resourceNamed(resource.schema, to), texts, options)
    }
    if (known.size === 0) yield nameUsers(wave)
    else yield nameUsers(resolved(await withKept(wave, resource, known, options), resource, known, options))
  }
}

/** The fields whose values name things of a resource, links of added fields included. */
const namingFields = ({ kinds }: Resource): readonly { readonly field: string; readonly to: string }[] =>
  Object.entries<Kind<unknown>>(kinds).flatMap(([field, { refersTo: to }]) => (to === undefined ? [] : [{ field, to }]))

function namesIn(known: Map<string, Map<string, SettledName>>, to: string): Map<string, SettledName> {
  const names = known.get(to) ?? new Map<string, SettledName>()
  known.set(to, names)
  return names
}

async function learn(
  known: Map<string, SettledName>,
  resource: Resource,
  texts: readonly string[],
  options: NamingOptions,
): Promise<void> {
  const unknown = [...new Set(texts)].filter((text) => !known.has(text))
  if (unknown.length === 0) return
  for (const [text, ids] of await findNamed(options.desk, resource, unknown)) {
    known.set(text, await settled(text, ids, resource, options))
  }
}

async function settled(
  text: string,
  ids: readonly Key[],
  resource: Resource,
  options: NamingOptions,
): Promise<SettledName> {
  const [id, ...others] = ids
  if (others.length > 0) return { fault: reason('several-found', { name: text, ids: ids.slice(0, 20) }) }
  if (id !== undefined) return { id }
  // A number is somebody's reference, not a name to give.
  const isName = options.create === 'missing' && /\p{Letter}/u.test(text)
  if (!isName) return { fault: reason('not-found', { name: text }) }
  const made = await createNamed(resource, text, options)
  if ('id' in made) options.onCreated?.()
  return made
}

/** A row of an export as shown names what its thing refers to, which others may be called too: that stays as it is. */
async function withKept(
  wave: Wave,
  resource: Resource,
  known: ReadonlyMap<string, ReadonlyMap<string, SettledName>>,
  { desk }: NamingOptions,
): Promise<Wave> {
  const fields = namingFields(resource)
  const several = ({ values }: FileRow): readonly string[] =>
    fields.flatMap(({ field, to }) => {
      const value = values[field]
      const found = isThingName(value) ? known.get(to)?.get(value.thingName) : undefined
      return found !== undefined && 'fault' in found && found.fault.code === 'several-found' ? [field] : []
    })
  const doubtful = wave.rows.filter((row) => row.values.id !== undefined && several(row).length > 0)
  if (doubtful.length === 0) return wave
  const things = new Map<unknown, FoundThing>()
  const ids = doubtful.map(({ values }) => String(values.id))
  for await (const thing of thingsWith(desk, resource, 'id', ids)) things.set(thing.id, thing)
  const kept = doubtful.map((row): readonly [FileRow, FileRow] => {
    const thing = things.get(row.values.id)
    const named = fields.flatMap(({ field, to }) => {
      const value = row.values[field]
      const found = isThingName(value) ? known.get(to)?.get(value.thingName) : undefined
      const ids = found !== undefined && 'fault' in found ? found.fault.with?.ids : undefined
      const current = thing?.[field]
      return Array.isArray(ids) && ids.includes(current) ? [[field, current] as const] : []
    })
    return [row, { ...row, values: { ...row.values, ...Object.fromEntries(named) } }]
  })
  const instead = new Map(kept)
  return { ...wave, rows: wave.rows.map((row) => instead.get(row) ?? row) }
}

/** The wave with ids in place of names. */
function resolved(
  wave: Wave,
  resource: Resource,
  known: ReadonlyMap<string, ReadonlyMap<string, SettledName>>,
  { badCells }: NamingOptions,
): Wave {
  const rows: FileRow[] = []
  const rejected: Rejection[] = [...wave.rejected]
  const emptied: FaultyRow[] = [...(wave.emptied ?? [])]
  for (const row of wave.rows) {
    const { values, faults } = withIds(row.values, resource, known)
    // A reference that may be absent is the only kind that files name.
    if (faults.length === 0 || badCells === 'empty')
      rows.push(faults.length === 0 && values === row.values ? row : { ...row, values })
    else rejected.push({ line: row.line, faults, row: row.row() })
    if (faults.length > 0 && badCells === 'empty') emptied.push({ line: row.line, faults })
  }
  const byLine = (a: FaultyRow, b: FaultyRow): number => a.line - b.line
  return {
    ...wave,
    rows,
    rejected: rejected.toSorted(byLine),
    ...(emptied.length > 0 && { emptied: emptied.toSorted(byLine) }),
  }
}

function withIds(
  values: GivenValues,
  resource: Resource,
  known: ReadonlyMap<string, ReadonlyMap<string, SettledName>>,
): { readonly values: GivenValues; readonly faults: readonly Fault[] } {
  const faults: Fault[] = []
  const changed: Record<string, unknown> = {}
  for (const { field, to } of namingFields(resource)) {
    const value = values[field]
    if (!isThingName(value)) continue
    const found = known.get(to)?.get(value.thingName)
    if (found === undefined) throw new Error(`${value.thingName} was not looked for`)
    changed[field] = 'id' in found ? found.id : null
    if ('fault' in found) faults.push(placed(found.fault, field))
  }
  return Object.keys(changed).length === 0 ? { values, faults } : { values: { ...values, ...changed }, faults }
}
