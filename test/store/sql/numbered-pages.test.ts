import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { parseQuery } from '../../../src/queries/parse/parse-query.ts'
import { select } from '../../../src/store/select/select.ts'
import { sqlite } from '../../../src/store/sqlite/sql/dialect.ts'
import { openSampleTables, planOf, rowsOf } from '../../support/database/sample-tables.ts'
import { collections } from '../../support/schema.ts'

const ROWS = 50_021
const SIZE = 50

const textOf = (query: string) => {
  const parsed = parseQuery(collections.customers, query)
  assert.ok('query' in parsed, inspect(parsed))
  return select(collections.customers, parsed.query, sqlite)
}

test('a page by its number has the rows of its place, whichever end is nearer', () => {
  using db = openSampleTables()
  db.exec(`DROP TRIGGER customers_grams_inserted;
    WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < ${ROWS})
    INSERT INTO customers (id, name, age, created_at, updated_at, revision, doc)
    SELECT id * 3, 'n' || id * 7919 % 1000, iif(id % 3 = 0, NULL, id * 31 % 97), 'c', 'u', 1, id * 3 FROM ids`)
  for (const [sort, order] of [
    ['id', 'id'],
    ['-id', 'id DESC'],
    ['name', 'name, id'],
    ['-name', 'name DESC, id DESC'],
    ['age', 'age NULLS LAST, id'],
    ['-age', 'age DESC NULLS LAST, id DESC'],
  ]) {
    const all = db.prepare(`SELECT id FROM customers ORDER BY ${order}`).all()
    for (const page of [2, 399, 401, 500, 502, 667, 668, 1000, 1001, 1002]) {
      const select = textOf(`sort=${sort}&page=${page}&maxpagesize=${SIZE}`)
      const from = (page - 1) * SIZE
      assert.deepEqual(
        rowsOf(db, select).map(([doc]) => Number(doc)),
        all.slice(from, from + SIZE + 1).map(({ id }) => id),
        `page ${page} by ${sort}`,
      )
      assert.ok(!/SCAN customers(?! USING COVERING)/.test(planOf(db, select).join()), `${sort} passes over wide rows`)
    }
  }
})
