import type { DatabaseSync } from 'node:sqlite'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import { isNumbered } from '../../rows/things.ts'

// The rows of things with assigned ids are numbered in the order of these ids, so that the rowid, which every index has
// anyway, gives the order of the ids. New ids are greater than all others; copies are written in the order of the ids.

const orderedIn = ({ resources }: Schema): readonly Resource[] => resources.filter((each) => !isNumbered(each))

/** The tables whose rows are in another order: those of earlier releases, if their clock went back. */
export const disordered = (db: DatabaseSync, schema: Schema): readonly string[] =>
  orderedIn(schema)
    .map(({ plural }) => plural)
    .filter((table) => {
      const numbered = `SELECT rowid AS number, lag(rowid) OVER (ORDER BY id) AS before FROM ${table}`
      return db.prepare(`SELECT 1 FROM (${numbered}) WHERE before > number LIMIT 1`).get() !== undefined
    })

/** Renumbers rows that are in another order; tells whether there were any. */
export function orderRows(db: DatabaseSync, schema: Schema): boolean {
  const tables = disordered(db, schema)
  for (const table of tables) {
    // No number may be used twice meanwhile.
    db.exec(`CREATE TEMP TABLE numbered AS SELECT rowid AS number, row_number() OVER (ORDER BY id) AS place FROM ${table};
      UPDATE ${table} SET rowid = -place FROM temp.numbered WHERE ${table}.rowid = number;
      UPDATE ${table} SET rowid = -rowid;
      DROP TABLE temp.numbered`)
  }
  return tables.length > 0
}
