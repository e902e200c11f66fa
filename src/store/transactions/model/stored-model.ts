import type { Schema, SchemaSource } from '../../../model/declaration/schema.ts'
import { modelTables } from '../../../model/schema/build-schema.ts'
import { sourceOfThings } from '../../../model/schema/stored-model.ts'
import type { Json } from '../../../values/json/json.ts'
import { type SqlDialect, statementIn } from '../../sql/dialect.ts'
import type { Row } from '../../sql/statement.ts'
import { ask, type Work } from '../work.ts'

// The model is made of things. Their table has no version: that of the whole model is a row of its own, which is absent
// until the first change. decisions/0059

const documentsOf = (table: string): string => `(SELECT '[' || string_agg(doc, ',' ORDER BY id) || ']' FROM ${table})`

/** The version, when it was made, and the things: one statement, so that they belong together. */
export const READ_MODEL = {
  name: 'model',
  text: `SELECT (SELECT version FROM model), (SELECT changed_at FROM model), ${modelTables
    .map(({ table }) => documentsOf(table))
    .join(', ')}`,
}

export const READ_MODEL_VERSION = { name: 'model-version', text: 'SELECT version FROM model' }

export function readModel([version, changedAt, ...documents]: Row): SchemaSource {
  const read = documents.map((text) => (typeof text === 'string' ? JSON.parse(text) : []) as { [name: string]: Json }[])
  return sourceOfThings(Number(version ?? 0), String(changedAt ?? ''), read)
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
