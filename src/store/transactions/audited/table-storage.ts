import { valueIn } from '../../../model/declaration/operation.ts'
import type { Operation, Resource } from '../../../model/declaration/schema.ts'
import { isUuid } from '../../../values/kinds/uuid.ts'
import { documentRows } from '../../rows/audited/field-rows.ts'
import { columnName } from '../../sql/column-name.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import type { Storage } from '../storage.ts'
import { ask, type Work } from '../work.ts'

/** Things with one row each, as declared. */
export function tableStorage(dialect: SqlDialect, resource: Resource): Storage {
  const rows = documentRows(resource)
  const { LOCK, LOCK_BY_ID } = tableStatements(dialect, resource)
  return {
    *find({ target }) {
      if (typeof target !== 'string') return { thing: undefined }
      // A thing with a name has an id too.
      const lock = resource.uniques.includes(resource.key) && isUuid(target) ? LOCK_BY_ID : LOCK
      return { thing: (yield* ask(lock, target)).map(rows.read)[0] }
    },
  }
}

/** Writes the row of a thing: a creation adds it, a removal deletes it, any other operation changes it. */
export function rowWriter(dialect: SqlDialect, resource: Resource) {
  const rows = documentRows(resource)
  const { INSERT, UPDATE, DELETE } = tableStatements(dialect, resource)
  return function* (operation: Operation, before: object, after: object): Work<void> {
    if (operation.to === 'nothing') yield* ask(INSERT, ...rows.values(after as never))
    else if (operation.removes) yield* ask(DELETE, String(valueIn(after, resource.key)))
    else if (after !== before) yield* ask(UPDATE, ...rows.values(after as never))
  }
}

function tableStatements(dialect: SqlDialect, resource: Resource) {
  const { columns } = documentRows(resource)
  const { plural, key, fields } = resource
  const kind = fields[key]?.kind
  const named = kind === undefined ? key : columnName(key, kind)
  const changed = columns.flatMap((column, at) => (column === named ? [] : [`${column} = ?${at + 1}`]))
  const at = columns.indexOf(named) + 1
  return statementsIn(dialect, plural, {
    INSERT: `INSERT INTO ${plural} (${columns.join(', ')}) VALUES (${columns.map((_, at) => `?${at + 1}`).join(', ')})`,
    LOCK: `SELECT ${columns.join(', ')} FROM ${plural} WHERE ${named} = ?1 ${dialect.lock}`,
    LOCK_BY_ID: `SELECT ${columns.join(', ')} FROM ${plural} WHERE id = ?1 ${dialect.lock}`,
    UPDATE: `UPDATE ${plural} SET ${changed.join(', ')} WHERE ${named} = ?${at}`,
    DELETE: `DELETE FROM ${plural} WHERE ${named} = ?1`,
  })
}
