import type { DatabaseSync } from 'node:sqlite'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import { OWN } from '../../../values/json/own.ts'
import { columnOfField, FOLDED, foldedTexts, isNumbered, thingOf } from '../../rows/things.ts'
import {
  GRAMS_VERSION,
  gramTable,
  gramText,
  mayBeFolded,
  searchedColumns,
  searchedIn,
  searchedOf,
} from '../../select/grams.ts'
import { laterTable, sqlite } from '../sql/dialect.ts'

export const isSearchPrepared = (db: DatabaseSync, schema: Schema): boolean => unprepared(db, schema).length === 0

/**
 * Creates the declared indexes of grams, in the caller's transaction, and notes all existing rows. Triggers note each
 * changed row, for every writer; searches read noted rows too, and many of them are indexed together, which costs a
 * tenth of one by one. decisions/0029
 */
export function prepareSearch(db: DatabaseSync, schema: Schema): void {
  if (isRenumbered(db)) indexOwnAnew(db, schema)
  for (const resource of unprepared(db, schema)) {
    dropGrams(db, resource)
    foldAnew(db, resource)
    makeGrams(db, resource)
  }
  witnessNumbers(db)
}

/** The resources whose triggers differ from the declaration, or whose rows were renumbered. */
function unprepared(db: DatabaseSync, { resources }: Schema): readonly Resource[] {
  const made = db.prepare(`SELECT sql FROM sqlite_schema WHERE type = 'trigger'`).all()
  const known = new Set(made.map(({ sql }) => sql))
  const areRenumbered = isRenumbered(db)
  return resources.filter((resource) => {
    const triggers = gramTriggers(resource)
    if (triggers.length === 0) return false
    return !triggers.every(({ sql }) => known.has(sql)) || (areRenumbered && !isNumbered(resource))
  })
}

/**
 * Loading a dump, or VACUUM, may renumber the rows of a table without an integer key, without gaps. This table is such
 * a table, and its row has the second id unless that happened.
 */
const WITNESS = 'grams_witness'

function isRenumbered(db: DatabaseSync): boolean {
  const isThere = db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(WITNESS)
  return isThere === undefined || db.prepare(`SELECT max(rowid) AS last FROM ${WITNESS}`).get()?.last !== 2
}

/** The values of added fields are indexed by the numbers of the rows. */
function indexOwnAnew(db: DatabaseSync, { resources }: Schema): void {
  for (const { plural: table } of resources.filter(
    ({ extensible, kinds }) => extensible && kinds.id?.name !== 'integer',
  )) {
    db.exec(`DELETE FROM ${table}_own;
      INSERT INTO ${table}_own SELECT field, value, ${table}.rowid
        FROM ${table}, json_each(${table}.own) JOIN own_indexes ON key = field AND on_table = '${table}' WHERE own IS NOT NULL`)
  }
}

/** The index is rebuilt, because rows were renumbered. */
export const forgetNumbers = (db: DatabaseSync): void => db.exec(`DROP TABLE IF EXISTS ${WITNESS}`)

function witnessNumbers(db: DatabaseSync): void {
  db.exec(`
    CREATE TABLE IF NOT EXISTS ${WITNESS} (mark TEXT PRIMARY KEY);
    DELETE FROM ${WITNESS};
    INSERT INTO ${WITNESS} (rowid, mark) VALUES (2, 'second');
  `)
}

/** The triggers that keep a resource's grams; none if nothing is searched. */
export function gramTriggers(resource: Resource): readonly { readonly name: string; readonly sql: string }[] {
  if (searchedOf(resource).length === 0) return []
  const { plural: table } = resource
  const grams = gramTable(table)
  const columns = searchedColumns(resource)
  const differs = columns.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ')
  const noted = (row: 'old' | 'new', text: string) =>
    `INSERT INTO ${laterTable(grams)} VALUES (${row}.rowid, ${text}) ON CONFLICT DO NOTHING;`
  const indexed = gramText(resource, 'old', sqlite)
  const version = `/* version ${GRAMS_VERSION} */`
  return [
    { name: 'inserted', when: `INSERT ON ${table}`, act: noted('new', 'NULL') },
    {
      name: 'updated',
      when: `UPDATE OF ${columns.join(', ')} ON ${table} WHEN ${differs}`,
      act: noted('new', indexed),
    },
    { name: 'deleted', when: `DELETE ON ${table}`, act: noted('old', indexed) },
  ].map(({ name, when, act }) => ({
    name: `${grams}_${name}`,
    sql: `CREATE TRIGGER ${grams}_${name} AFTER ${when} BEGIN ${version} ${act} END`,
  }))
}

/** Bytes of grams that are gathered before they are written; the default megabyte would be written often. */
const GATHERED = 16_777_216
const USUALLY_GATHERED = 1_048_576
/** The number of parts of one level that are merged. While the index is built none are merged, because they are few. */
const USUALLY_MERGED = 4

/** The most rows that wait to be indexed: a search reads each of them. */
const MOST_LATER = 2048
/** The most that wait while nothing else is written. */
const MOST_WHEN_IDLE = 256
/** Rows indexed at once while a service runs, some milliseconds' work. */
const MOST_AT_ONCE = 2048

/** Indexes noted rows, in the caller's transaction: all of them, or at most this many. */
export function indexLater(db: DatabaseSync, schema: Schema, most?: number): void {
  for (const resource of searchedIn(schema)) {
    const grams = gramTable(resource.plural)
    const isMany = (most ?? 0) > MOST_AT_ONCE
    const statements = indexStatements(resource, most)
    if (isMany && statements.length > 0) db.exec(gathering(grams, GATHERED, 0))
    for (const sql of statements) db.exec(sql)
    if (isMany && statements.length > 0) db.exec(gathering(grams, USUALLY_GATHERED, USUALLY_MERGED))
  }
}

/**
 * Indexes the noted rows of a resource. The old text of a row is removed just before its new one is added: in the other
 * order, FTS5 would write everything it has gathered in between.
 */
export function indexStatements(resource: Resource, most?: number): readonly string[] {
  if (searchedOf(resource).length === 0) return []
  const { plural: table } = resource
  const grams = gramTable(table)
  const later = laterTable(grams)
  const some =
    most === undefined ? '1' : `row <= (SELECT max(row) FROM (SELECT row FROM ${later} ORDER BY row LIMIT ${most}))`
  return [
    `INSERT INTO ${grams} (${grams}, rowid, text)
      SELECT 'delete' AS command, row, text FROM ${later} WHERE text IS NOT NULL AND ${some}
      UNION ALL SELECT NULL, row, ${gramText(resource, table, sqlite)}
        FROM ${later} CROSS JOIN ${table} ON ${table}.rowid = row WHERE ${some}
      ORDER BY row, command DESC`,
    `DELETE FROM ${later} WHERE ${some}`,
  ]
}

function waiting(db: DatabaseSync, schema: Schema): () => number {
  const counts = searchedIn(schema).map(({ plural }) => `(SELECT count(*) FROM ${laterTable(gramTable(plural))})`)
  const count = db.prepare(`SELECT max(${counts.join(', ')}, 0) AS most`)
  return () => Number(count.get()?.most)
}

/** The largest number of waiting rows of any resource. */
export const waitingRows = (db: DatabaseSync, schema: Schema): number => waiting(db, schema)()

/**
 * Whether enough rows wait for some to be indexed, and the function that indexes them, in the caller's transaction. Many
 * are indexed together, because each group is a part of the index that is merged with others later.
 */
export function laterIndexing(db: DatabaseSync, schema: Schema) {
  const rows = waiting(db, schema)
  return {
    isDue: (isIdle: boolean): boolean => rows() >= (isIdle ? MOST_WHEN_IDLE : MOST_LATER),
    run: (): void => indexLater(db, schema, MOST_AT_ONCE),
  }
}

const gathering = (grams: string, bytes: number, merged: number): string =>
  `INSERT INTO ${grams} (${grams}, rank) VALUES ('hashsize', ${bytes}), ('automerge', ${merged});`

/** Creates an empty index, notes every row, and creates the triggers. */
function makeGrams(db: DatabaseSync, resource: Resource): void {
  const triggers = gramTriggers(resource)
  if (triggers.length === 0) return
  const { plural: table } = resource
  const grams = gramTable(table)
  db.exec(`
    CREATE VIRTUAL TABLE ${grams} USING fts5 (
      text, tokenize = 'trigram case_sensitive 1', detail = none, content = '', columnsize = 0
    );
    CREATE TABLE ${laterTable(grams)} (row INTEGER PRIMARY KEY, text TEXT);
    CREATE VIRTUAL TABLE ${grams}_terms USING fts5vocab (${grams}, instance);
    ${gathering(grams, USUALLY_GATHERED, USUALLY_MERGED)}
    INSERT INTO ${laterTable(grams)} SELECT rowid, NULL FROM ${table};
  `)
  for (const { sql } of triggers) db.exec(sql)
}

function dropGrams(db: DatabaseSync, resource: Resource): void {
  const grams = gramTable(resource.plural)
  for (const { name } of gramTriggers(resource)) db.exec(`DROP TRIGGER IF EXISTS ${name}`)
  db.exec(`DROP TABLE IF EXISTS ${grams}_terms; DROP TABLE IF EXISTS ${grams};
    DROP TABLE IF EXISTS ${laterTable(grams)}`)
}

/** Folds the texts of rows that were written before folded texts were stored, or folded differently. */
function foldAnew(db: DatabaseSync, resource: Resource): void {
  const { plural: table } = resource
  const texts = [...resource.texts, ...(resource.extensible ? [OWN] : [])]
  if (texts.length === 0) return
  db.function('folded_texts', { varargs: true }, (...values) => foldedTexts(resource, thingOf(resource, texts, values)))
  const columns = texts.map((name) => columnOfField(resource, name))
  const isFolded = mayBeFolded(resource, (column) => `length(CAST(${column} AS BLOB)) <> length(${column})`)
  db.exec(`UPDATE ${table} SET ${FOLDED} = folded_texts(${columns.join(', ')}) WHERE ${isFolded}`)
}
