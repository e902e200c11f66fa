import assert from 'node:assert/strict'
import { columnOfField } from '../../../src/store/rows/things.ts'
import { totalTable } from '../../../src/store/select/totals.ts'
import { resources } from '../schema.ts'
import type { OwnDatabase } from './own-database.ts'

/** The kept totals are those of the things, counted from scratch. PostgreSQL keeps none. */
export async function assertTotals({ url, rows }: Pick<OwnDatabase, 'url' | 'rows'>): Promise<void> {
  if (url.startsWith('postgres')) return
  for (const resource of resources) {
    const { plural, totals = [] } = resource
    for (const [nth, { by, sum }] of totals.entries()) {
      const keys = by.map((field) => (field === 'closedAt' ? 'closed_at' : columnOfField(resource, field)))
      // The month of an instant, and whatever else there is.
      const values = keys.map((key) => (key.endsWith('_at') ? `substr(${key}, 1, 7)` : key))
      const summed = sum && columnOfField(resource, sum)
      const isPresent = ['deleted_at IS NULL', ...keys.map((key) => `${key} IS NOT NULL`)].join(' AND ')
      const counted = await rows(
        `SELECT ${values.map((value, at) => `${value} AS ${keys[at]}`)}, count(*) AS items, ${summed ? inDigits(`sum(${summed})`) : '0'} AS sum FROM ${plural}
         WHERE ${isPresent} GROUP BY ${values} ORDER BY ${values}`,
      )
      const kept = await rows(
        `SELECT ${values.map((value, at) => `${value} AS ${keys[at]}`)}, items, ${summed ? inDigits(`(${summed}_high << 32) + ${summed}_low`) : '0'} AS sum
         FROM ${totalTable(plural, nth)} WHERE items > 0 ORDER BY ${keys}`,
      )
      assert.deepEqual(kept, counted, `${plural} by ${by}`)
      const [none] = await rows(`SELECT count(*) AS wrong FROM ${totalTable(plural, nth)} WHERE items < 0`)
      assert.equal(Number(none?.wrong), 0, `${plural} by ${by}`)
    }
  }
}

/** A sum of many amounts is more than a number of JavaScript can be. */
const inDigits = (sum: string): string => `CAST(${sum} AS text)`
