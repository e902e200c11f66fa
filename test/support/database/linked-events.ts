import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { areEventsLinked } from '../../../src/store/sqlite/schema/event-links.ts'
import { schema } from '../schema.ts'
import type { OwnDatabase } from './own-database.ts'

/** Each event is reached from the last one of its thing, or by the index. On PostgreSQL the index has all. */
export function assertLinked({ url }: Pick<OwnDatabase, 'url'>): void {
  if (url.startsWith('postgres')) return
  using db = new DatabaseSync(url, { readOnly: true, timeout: 60_000 })
  assert.ok(areEventsLinked(db, schema))
}
