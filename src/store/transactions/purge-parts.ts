import type { DomainEvent, DoneBy } from '../../model/declaration/event.ts'
import type { Params } from '../../model/declaration/operation.ts'
import type { Key, Thing } from '../../model/declaration/resource.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import { partFrom } from '../../model/perform/part.ts'
import { linksTo, operationsOnExisting, type Referrer, referrersOf } from '../../model/schema/resources.ts'
import { ownName } from '../../values/json/own.ts'
import { notBefore } from '../../values/kinds/time.ts'
import { nested } from '../../values/members.ts'
import { changeRow } from '../rows/event.ts'
import { columnOfField, isNumbered, thingValues, writtenColumns } from '../rows/things.ts'
import { ownTable } from '../rows/unique-lookup.ts'
import { type SqlDialect, statementIn } from '../sql/dialect.ts'
import { thingIn } from './imports/write-rows.ts'
import type { TableStatements } from './table-statements.ts'
import { ask, askAll, type Work } from './work.ts'

/** The number of things in memory at a time. */
const AT_ONCE = 500

export type PurgeTables = Pick<TableStatements, 'append' | 'awaitLinks' | 'awaitTurns' | 'index' | 'update'>

/** The fields by which things go with one of a resource. */
export const goingWith = (resource: Resource): readonly Referrer[] =>
  referrersOf(resource).filter(({ without }) => without === 'goes')

const BY_SERVICE: DoneBy & Pick<DomainEvent, 'form' | 'commandId'> = { actor: null, form: 'service', commandId: null }

/**
 * The things that go with purged ones of a resource: the links that name them are emptied, and each is deleted, with an
 * event. `forget` removes what else there was of some of them. decisions/0036, 0062
 */
export function partsOf(dialect: SqlDialect, tables: PurgeTables, resource: Resource, forget: Forget) {
  return function* remove(ids: readonly string[]): Work<void> {
    for (const referrer of goingWith(resource)) {
      const { from, field } = referrer
      const links = linksTo(from)
      const is = dialect.among(columnOfField(from, field), '?1')
      for (;;) {
        const parts = yield* lockedSome(from, is, ids)
        if (parts === undefined) break
        const keys = parts.map(({ id }) => id)
        // Nobody begins to link to them.
        if (links.length > 0) yield* askAll(tables.awaitLinks([from.name]))
        for (const link of links) yield* empty(link, keys, ids)
        const at = new Date().toISOString()
        const rows = parts.map((part) =>
          changeRow(partFrom(referrer, part, { ...BY_SERVICE, at }).event, true, undefined),
        )
        yield* forget(from, keys.map(String))
        yield* askAll(tables.append(rows))
        yield* ask(statementIn(dialect, { text: `DELETE FROM ${from.plural} WHERE ${isAmong(from, '?1')}` }), keys)
      }
    }
  }

  /** Empties a field of the things that stay. */
  function* empty(link: Referrer, keys: readonly Key[], purged: readonly string[]): Work<void> {
    const { from, field } = link
    const { key, row, kept } = dialect.ownIndex
    const operation = operationsOnExisting(from).find(({ changes }) => changes.includes(field))
    if (operation === undefined) throw new Error(`no operation empties the ${field} of a ${from.name}`)
    const going = goingWith(resource).filter((each) => each.from.name === from.name)
    const isNaming = [
      `${key} IN (SELECT ${row} FROM ${ownTable(from)}
        WHERE field = '${ownName(field)}' AND ${dialect.among('value', '?1')})`,
      ...(from.name === resource.name ? [`NOT ${isAmong(from, '?2')}`] : []),
      ...going
        .map((each) => columnOfField(from, each.field))
        .map((column) => `(${column} IS NULL OR NOT ${dialect.among(column, '?2')})`),
    ]
    const values = [keys.map(kept), ...(isNaming.length > 1 ? [purged] : [])]
    for (;;) {
      const holders = yield* lockedSome(from, isNaming.join(' AND '), ...values)
      if (holders === undefined) return
      const rows = holders.map((before) => changeRow(emptied(operation, before, field), false, undefined))
      const changed = rows.map(({ event: { thing }, stored }) => thingValues(from, thing, stored.doc))
      yield* askAll([
        ...tables.update(from.plural, writtenColumns(from), changed),
        ...tables.append(rows),
        ...tables.index(from),
      ])
    }
  }

  /** Some things that meet a condition and that nobody changes meanwhile; undefined if none is left. */
  function* lockedSome(
    of: Resource,
    condition: string,
    ...values: readonly unknown[]
  ): Work<readonly Thing[] | undefined> {
    const text = `SELECT doc FROM ${of.plural} WHERE ${condition} ORDER BY ${dialect.indexedKey('id')} LIMIT ${AT_ONCE}`
    const find = statementIn(dialect, { text })
    const found = (yield* ask(find, ...values)).map(([doc]) => thingIn(of, String(doc)))
    if (found.length === 0) return undefined
    const turns = tables.awaitTurns(of.plural, found.map(({ id }) => String(id)).toSorted())
    if (turns.length === 0) return found
    yield* askAll(turns)
    const ids = new Set(found.map(({ id }) => id))
    const still = (yield* ask(find, ...values)).map(([doc]) => thingIn(of, String(doc)))
    return still.filter(({ id }) => ids.has(id))
  }

  function isAmong(of: Resource, list: string): string {
    return dialect.among('id', list, isNumbered(of) ? 'bigint' : 'text')
  }
}

/** Also where the field is required, or an archived deal has it. */
function emptied(operation: Operation, before: Thing, field: string): DomainEvent {
  const at = notBefore(before.updatedAt, new Date().toISOString())
  const thing = { ...before, [field]: null, updatedAt: at, revision: before.revision + 1 }
  return { operation, params: nested([[field, null]]) as Params, thing, at, ...BY_SERVICE }
}

/** Removes the events and commands of things. */
export type Forget = (resource: Resource, subjects: readonly string[]) => Work<void>
