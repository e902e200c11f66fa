import type { Schema, SchemaSource } from '../../../model/declaration/schema.ts'
import { modelTables } from '../../../model/schema/build-schema.ts'
import { sourceOfThings } from '../../../model/schema/stored-model.ts'
import type { Json } from '../../../values/json/json.ts'
import { roles } from '../../../values/role.ts'
import { type SqlDialect, statementIn } from '../../sql/dialect.ts'
import type { Row } from '../../sql/statement.ts'
import { ask, type Work } from '../work.ts'

// The model is made of things. Their table has no version: that of the whole model is a row of its own, which is absent
// until the first change. decisions/0059

const documentsOf = (table: string): string => `(SELECT '[' || string_agg(doc, ',' ORDER BY id) || ']' FROM ${table})`

/** The roles of users matter once there is one that admins made. */
const HOLDERS = `(SELECT '[' || string_agg('[' || person || ',"' || role || '",' || CASE WHEN disabled THEN 1 ELSE 0 END || ']', ',') || ']'
  FROM users WHERE EXISTS (SELECT 1 FROM roles WHERE name NOT IN (${roles.map((role) => `'${role}'`).join(', ')})))`

/** The version, when it was made, and the things: one statement, so that they belong together. */
export const READ_MODEL = {
  name: 'model',
  text: `SELECT (SELECT version FROM model), (SELECT changed_at FROM model), ${modelTables
    .map(({ table }) => documentsOf(table))
    .join(', ')}, ${HOLDERS}`,
}

export const READ_MODEL_VERSION = { name: 'model-version', text: 'SELECT version FROM model' }

export function readModel([version, changedAt, ...texts]: Row): SchemaSource {
  const lists = texts.map((text) => (typeof text === 'string' ? JSON.parse(text) : []) as readonly unknown[])
  const documents = lists.slice(0, -1) as { [name: string]: Json }[][]
  const holders = (lists.at(-1) ?? []) as readonly (readonly [
    person: { readonly name: string },
    role: string,
    disabled: number,
  ])[]
  return sourceOfThings(
    Number(version ?? 0),
    String(changedAt ?? ''),
    documents,
    holders.map(([{ name }, role, disabled]) => ({ name, role, disabled: disabled === 1 })),
  )
}

/** In the transaction of the change, after which the version is another one, whether or not another transaction has raised it meanwhile. */
export const WRITE_MODEL = {
  name: 'model-write',
  text: `INSERT INTO model (one, version, changed_at) VALUES (1, ?1, ?2)
    ON CONFLICT (one) DO UPDATE SET changed_at = excluded.changed_at,
      version = CASE WHEN excluded.version > model.version THEN excluded.version ELSE model.version + 1 END`,
}

/** Notes a change of the model in the transaction that makes it, so that everybody reads and writes by the new one. */
export function modelChanger(dialect: SqlDialect, { version }: Pick<Schema, 'version'>): () => Work<void> {
  const stored = statementIn(dialect, READ_MODEL_VERSION)
  const write = statementIn(dialect, WRITE_MODEL)
  return function* changeModel() {
    const [[known] = []] = yield* ask(stored)
    yield* ask(write, Math.max(Number(known ?? 0), version) + 1, new Date().toISOString())
  }
}
