import type { DatabaseSync } from 'node:sqlite'
import type { Resource, Thing } from '../../../model/resource.ts'
import { resources } from '../../../model/resources.ts'
import { columnOfField, FOLDED, foldedTexts } from '../../rows/things.ts'
import { GRAMS_VERSION, gramTable, gramText, searchedColumns, searchedOf } from '../../sql/grams.ts'
import { isDamage } from '../connect/faults.ts'
import { sqlite } from '../dialect.ts'

export const isSearchPrepared = (db: DatabaseSync): boolean => unprepared(db).length === 0

/**
 * Makes the indexes of grams that the resources declare, in the transaction of the migrations. Triggers keep them, so
 * that they are right whoever writes. decisions/0029
 */
export function prepareSearch(db: DatabaseSync): void {
  for (const resource of unprepared(db)) {
    dropGrams(db, resource)
    foldAnew(db, resource)
    makeGrams(db, resource)
  }
}

/** The resources whose triggers are not those that are declared, or whose rows were numbered anew. */
function unprepared(db: DatabaseSync): readonly Resource[] {
  const made = db.prepare(`SELECT sql FROM sqlite_schema WHERE type = 'trigger'`).all()
  const known = new Set(made.map(({ sql }) => sql))
  return resources.filter((resource) => {
    const triggers = gramTriggers(resource)
    if (triggers.length === 0) return false
    return !triggers.every(({ sql }) => known.has(sql)) || isRenumbered(db, resource)
  })
}

/**
 * Whether a dump that was loaded, or VACUUM, gave the rows other ids: those of a table without an integer key. They
 * close the gaps then, in the same order; so the last row tells.
 */
function isRenumbered(db: DatabaseSync, { plural: table }: Resource): boolean {
  const last = `SELECT (SELECT max(rowid) FROM ${table}) IS NOT (SELECT max(id) FROM ${gramTable(table)}_docsize) AS differs`
  try {
    return db.prepare(last).get()?.differs === 1
  } catch (cause) {
    // Whoever reads a damaged page is told; an index made of it would be no better.
    if (isDamage(cause)) return false
    throw cause
  }
}

/** The triggers that keep a resource's grams; none where nothing is searched. */
export function gramTriggers(resource: Resource): readonly { readonly name: string; readonly sql: string }[] {
  if (searchedOf(resource).length === 0) return []
  const { plural: table } = resource
  const grams = gramTable(table)
  const columns = searchedColumns(resource)
  const differs = columns.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ')
  const added = `INSERT INTO ${grams} (rowid, text) VALUES (new.rowid, ${gramText(resource, 'new', sqlite)});`
  const removed = `DELETE FROM ${grams} WHERE rowid = old.rowid;`
  const version = `/* version ${GRAMS_VERSION} */`
  return [
    { name: 'inserted', when: `INSERT ON ${table}`, act: added },
    {
      name: 'updated',
      when: `UPDATE OF ${columns.join(', ')} ON ${table} WHEN ${differs}`,
      act: `${removed} ${added}`,
    },
    { name: 'deleted', when: `DELETE ON ${table}`, act: removed },
  ].map(({ name, when, act }) => ({
    name: `${grams}_${name}`,
    sql: `CREATE TRIGGER ${grams}_${name} AFTER ${when} BEGIN ${version} ${act} END`,
  }))
}

/** Bytes of grams that are gathered before they are written; the usual megabyte would be written often. */
const GATHERED = 16_777_216
const USUALLY_GATHERED = 1_048_576
/** Parts of one level that are merged. While the index is made none are: the few that there are can be read as they are. */
const USUALLY_MERGED = 4

/** Makes the grams of every row, and the triggers. */
export function makeGrams(db: DatabaseSync, resource: Resource): void {
  const triggers = gramTriggers(resource)
  if (triggers.length === 0) return
  const { plural: table } = resource
  const grams = gramTable(table)
  db.exec(`
    CREATE VIRTUAL TABLE ${grams} USING fts5 (
      text, tokenize = 'trigram case_sensitive 1', detail = none, content = '', contentless_delete = 1
    );
    CREATE VIRTUAL TABLE ${grams}_terms USING fts5vocab (${grams}, instance);
    INSERT INTO ${grams} (${grams}, rank) VALUES ('hashsize', ${GATHERED}), ('automerge', 0);
    INSERT INTO ${grams} (rowid, text) SELECT rowid, ${gramText(resource, table, sqlite)} FROM ${table};
    INSERT INTO ${grams} (${grams}, rank) VALUES ('hashsize', ${USUALLY_GATHERED}), ('automerge', ${USUALLY_MERGED});
  `)
  for (const { sql } of triggers) db.exec(sql)
}

export function dropGrams(db: DatabaseSync, resource: Resource): void {
  const grams = gramTable(resource.plural)
  for (const { name } of gramTriggers(resource)) db.exec(`DROP TRIGGER IF EXISTS ${name}`)
  db.exec(`DROP TABLE IF EXISTS ${grams}_terms; DROP TABLE IF EXISTS ${grams}`)
}

/** Folds the texts of rows that were written before this was kept, or folded otherwise. */
function foldAnew(db: DatabaseSync, resource: Resource): void {
  const { plural: table, texts } = resource
  if (texts.length === 0) return
  db.function('folded_texts', { varargs: true }, (...values) =>
    foldedTexts(resource, Object.fromEntries(texts.map((name, at) => [name, values[at]])) as unknown as Thing),
  )
  const columns = texts.map((name) => columnOfField(resource, name))
  const isBeyondAscii = columns.map((column) => `length(CAST(${column} AS BLOB)) <> length(${column})`).join(' OR ')
  db.exec(`UPDATE ${table} SET ${FOLDED} = folded_texts(${columns.join(', ')}) WHERE ${isBeyondAscii}`)
}
