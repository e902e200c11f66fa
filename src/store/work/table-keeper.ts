import { isTheirs } from '../../model/managed/decide-managed.ts'
import type { ManagedIntent } from '../../model/managed/managed-operation.ts'
import { valueIn } from '../../model/operation.ts'
import type { ManagedResource } from '../../model/schema.ts'
import { managedRows } from '../rows/managed/managed.ts'
import { columnName } from '../sql/column-name.ts'
import { type SqlDialect, statementsIn } from '../sql/dialect.ts'
import { type Keeper, missing } from './keeper.ts'
import { ask, type Work } from './work.ts'

/**
 * Stores things with one row each, as declared: a creation adds it, a removal deletes it, any other operation changes
 * it.
 */
export function tableKeeper(dialect: SqlDialect, resource: ManagedResource): Keeper {
  const { name, key, privacy } = resource
  const rows = managedRows(resource)
  const { INSERT, LOCK, UPDATE, DELETE } = tableStatements(dialect, resource)
  const keep: Record<string, (thing: never, intent: ManagedIntent) => Work<unknown>> = {}
  for (const operation of resource.operations) {
    keep[operation.name] = function* (thing: object) {
      if (operation.to === 'nothing') yield* ask(INSERT, ...rows.values(thing as never))
      else if (operation.removes) yield* ask(DELETE, String(valueIn(thing, key)))
      else yield* ask(UPDATE, ...rows.values(thing as never))
      return thing
    }
  }
  return {
    *find({ target: { [key]: id }, manager }) {
      // A new thing has its owner from the beginning.
      if (id === undefined) return privacy === undefined ? {} : { [privacy.owner]: manager.actor }
      const [thing] = (yield* ask(LOCK, id)).map(rows.read)
      return thing === undefined || !isTheirs(resource, thing, manager) ? missing(name, id) : thing
    },
    keep,
  }
}

/** The statements of a table in which each thing has one row. */
export function tableStatements(dialect: SqlDialect, resource: ManagedResource) {
  const { columns } = managedRows(resource)
  const { plural, key, fields } = resource
  const kind = fields[key]?.kind
  const named = kind === undefined ? key : columnName(key, kind)
  const changed = columns.flatMap((column, at) => (column === named ? [] : [`${column} = ?${at + 1}`]))
  const at = columns.indexOf(named) + 1
  return statementsIn(dialect, plural, {
    INSERT: `INSERT INTO ${plural} (${columns.join(', ')}) VALUES (${columns.map((_, at) => `?${at + 1}`).join(', ')})`,
    LOCK: `SELECT ${columns.join(', ')} FROM ${plural} WHERE ${named} = ?1 ${dialect.lock}`,
    UPDATE: `UPDATE ${plural} SET ${changed.join(', ')} WHERE ${named} = ?${at}`,
    DELETE: `DELETE FROM ${plural} WHERE ${named} = ?1`,
  })
}
