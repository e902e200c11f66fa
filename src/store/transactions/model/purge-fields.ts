import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import type { AddedField } from '../../../model/source/added-field.ts'
import { OWN } from '../../../values/json/own.ts'
import type { Purged } from '../../port/maintenance.ts'
import { FOLDED, foldedTexts, isNumbered } from '../../rows/things.ts'
import { ownTable, UNFILLED } from '../../rows/unique-lookup.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import type { Row } from '../../sql/statement.ts'
import { thingIn } from '../imports/write-rows.ts'
import type { TableStatements } from '../table-statements.ts'
import type { InTransaction } from '../trim.ts'
import { ask, askAll, type BoundStatement, bind, type Work } from '../work.ts'
import { type GoneNames, isNamedBy, withoutNames, withoutOwn, withoutOwnParams } from './without-values.ts'

// The values of fields that were retired long ago go: first from the things, so that no later event has them, then from
// events, commands and the states that imports keep. Each step is a short transaction. A purge that is broken off begins
// again: what is gone is passed over. The field stays as a tombstone, for its name is never used again. decisions/0064

/** Bounds how long a transaction blocks others. */
const BATCH = 200

/** Purges the fields that were retired before an instant. */
export async function* purgeFields(
  dialect: SqlDialect,
  schema: Schema,
  tables: Pick<TableStatements, 'awaitTurns' | 'index'>,
  inTransaction: InTransaction,
  before: string,
  dryRun: boolean,
): AsyncIterable<Purged> {
  const due = schema.fields.filter(({ retiredAt, state }) => state !== 'purged' && isBefore(retiredAt, before))
  for (const [on, fields] of Map.groupBy(due, (field) => field.on)) {
    if (!dryRun) {
      const resource = resourceNamed(schema, on)
      const names = new Set(fields.map(({ name }) => name))
      await walked(things(dialect, resource, tables, names), inTransaction)
      await walked(events(dialect, resource, names), inTransaction)
      await walked(commands(dialect, resource, names), inTransaction)
      await walked(importedStates(dialect, resource, names), inTransaction)
      await inTransaction(() => buried(dialect, resource, fields), true)
    }
    yield { resource: 'field', ids: fields.map(({ id = '' }) => id) }
  }
}

const isBefore = (retiredAt: string | null | undefined, before: string): boolean =>
  retiredAt !== null && retiredAt !== undefined && retiredAt < before

/** Goes over the rows of a table; a step returns where the next begins, or undefined at the end. */
interface Walk {
  readonly start: Row
  step(from: Row): Work<Row | undefined>
}

async function walked({ start, step }: Walk, inTransaction: InTransaction): Promise<void> {
  for (let last: Row | undefined = start; last !== undefined; ) {
    const from: Row = last
    last = await inTransaction(() => step(from))
  }
}

function things(
  dialect: SqlDialect,
  resource: Resource,
  { awaitTurns, index }: Pick<TableStatements, 'awaitTurns' | 'index'>,
  names: GoneNames,
): Walk {
  const { plural: table } = resource
  const key = dialect.ownIndex.place('?1', isNumbered(resource))
  const order = dialect.ownIndex.key
  const { NEXT, READ, WRITE } = statementsIn(dialect, `purge fields of ${table}`, {
    NEXT: `SELECT ${order}, id FROM ${table} WHERE ${order} > ${key} AND ${OWN} IS NOT NULL
      ORDER BY ${order} LIMIT ${BATCH}`,
    READ: `SELECT id, ${OWN}, doc FROM ${table} WHERE id = ?1`,
    WRITE: `UPDATE ${table} SET ${OWN} = ?2, doc = ?3, ${FOLDED} = ?4 WHERE id = ?1`,
  })
  return {
    start: [UNFILLED],
    *step([from]) {
      const found = yield* ask(NEXT, from)
      // Nobody changes them until the end of the step: what was read before would be written again.
      yield* askAll(awaitTurns(table, found.map(([, id]) => String(id)).toSorted()))
      const rows = (yield* askAll(found.map(([, id]) => bind(READ, id)))).flat()
      const writes = rows.flatMap(([id, own, doc]): BoundStatement[] => {
        const rest = withoutNames(String(own), names)
        if (rest === own) return []
        const text = withoutOwn(String(doc), names)
        return [bind(WRITE, id, rest, text, foldedTexts(resource, thingIn(resource, text)))]
      })
      yield* askAll(writes)
      if (writes.length > 0) yield* askAll(index(resource))
      return found.length < BATCH ? undefined : [String(found.at(-1)?.[0])]
    },
  }
}

function events(dialect: SqlDialect, { name }: Resource, names: GoneNames): Walk {
  const { FIRST, NEXT, WRITE } = statementsIn(dialect, 'purge fields in events', {
    FIRST: `SELECT ${dialect.beforeAll}`,
    NEXT: `SELECT sequence, doc, params, resource FROM events WHERE sequence > ?1 ORDER BY sequence LIMIT ${BATCH}`,
    WRITE: 'UPDATE events SET doc = ?2, params = ?3 WHERE sequence = ?1',
  })
  return {
    start: [],
    *step([from]) {
      const begin = from ?? (yield* ask(FIRST))[0]?.[0]
      const rows = yield* ask(NEXT, begin)
      yield* askAll(
        rows.flatMap(([sequence, doc, params, resource]): BoundStatement[] => {
          if (resource !== name) return []
          const [left, said] = [withoutOwn(String(doc), names), withoutOwnParams(String(params), names)]
          return left === doc && said === params ? [] : [bind(WRITE, sequence, left, said)]
        }),
      )
      return rows.length < BATCH ? undefined : [rows.at(-1)?.[0]]
    },
  }
}

function commands(dialect: SqlDialect, { name }: Resource, names: GoneNames): Walk {
  const { NEXT, WRITE } = statementsIn(dialect, `purge fields in commands of ${name}`, {
    NEXT: `SELECT id, params, doc, named FROM commands WHERE resource = '${name}' AND id > ?1 ORDER BY id LIMIT ${BATCH}`,
    WRITE: 'UPDATE commands SET params = ?2, doc = ?3, named = ?4 WHERE id = ?1',
  })
  return {
    start: [''],
    *step([from]) {
      const rows = yield* ask(NEXT, from)
      yield* askAll(
        rows.flatMap(([id, params, doc, named]): BoundStatement[] => {
          const said = withoutOwnParams(String(params), names)
          const left = doc === null ? null : withoutOwn(String(doc), names)
          const by = isNamedBy(named, names) ? null : named
          return said === params && left === doc && by === named ? [] : [bind(WRITE, id, said, left, by)]
        }),
      )
      return rows.length < BATCH ? undefined : [String(rows.at(-1)?.[0])]
    },
  }
}

/** The things as they were before an import that can be undone. */
function importedStates(dialect: SqlDialect, { name }: Resource, names: GoneNames): Walk {
  const { NEXT, WRITE } = statementsIn(dialect, `purge fields in imports of ${name}`, {
    NEXT: `SELECT import_id, subject, before FROM import_changes WHERE resource = '${name}'
      AND (import_id, subject) > (?1, ?2) ORDER BY import_id, subject LIMIT ${BATCH}`,
    WRITE: `UPDATE import_changes SET before = ?3 WHERE import_id = ?1 AND subject = ?2 AND resource = '${name}'`,
  })
  return {
    start: ['', ''],
    *step([last, thing]) {
      const rows = yield* ask(NEXT, last, thing)
      yield* askAll(
        rows.flatMap(([id, subject, before]): BoundStatement[] => {
          const left = before === null ? null : withoutOwn(String(before), names)
          return left === before ? [] : [bind(WRITE, id, subject, left)]
        }),
      )
      const end = rows.at(-1)
      return rows.length < BATCH || end === undefined ? undefined : [end[0], end[1]]
    },
  }
}

/** Nothing has a value any more. The fields are shown in another state, so the model has another version. */
function* buried(dialect: SqlDialect, resource: Resource, fields: readonly AddedField[]): Work<void> {
  const { UNLIST, EMPTY, MARK, MODEL } = statementsIn(dialect, `bury fields of ${resource.plural}`, {
    UNLIST: 'DELETE FROM own_indexes WHERE on_table = ?1 AND field = ?2',
    EMPTY: `DELETE FROM ${ownTable(resource)} WHERE field = ?1`,
    MARK: `UPDATE fields SET state = 'purged', doc = replace(doc, '"state":"' || state || '"', '"state":"purged"') WHERE id = ?1`,
    MODEL: 'UPDATE model SET version = version + 1, changed_at = CASE WHEN changed_at > ?1 THEN changed_at ELSE ?1 END',
  })
  yield* askAll([
    ...fields.flatMap(({ id, name }) => [bind(UNLIST, resource.plural, name), bind(EMPTY, name), bind(MARK, id)]),
    bind(MODEL, new Date().toISOString()),
  ])
}
