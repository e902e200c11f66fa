import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import { OWN } from '../../../values/json/own.ts'
import type { OnStep } from '../../port/opening.ts'
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
import { postgres } from '../sql/dialect.ts'

/** Runs statements as one step: in a separate transaction, or in the one that creates a new database. */
export type InStep = (work: () => Promise<unknown>) => Promise<void>

/**
 * Creates the declared indexes of grams, in steps: a table and the triggers that keep it current for every writer; the
 * folded texts and the grams of the existing rows, some at a time; then the index. The comment on the table contains
 * the declaration and the progress. If only fields were added, the index stays, and the rows that have one of them are
 * indexed again. decisions/0029
 */
export async function prepareSearch(
  client: pg.Client,
  schema: Schema,
  inStep: InStep,
  onStep: OnStep = () => {},
): Promise<void> {
  for (const resource of searchedIn(schema)) {
    const grams = gramTable(resource.plural)
    const declared = declarationOf(resource)
    let found = await commentOn(client, grams)
    if (found === declared) continue
    const say = (part: string): void => onStep(`the search index of ${resource.plural}${part}`)
    const added = addedFields(resource, found)
    if (added.length > 0) {
      say(`: ${added.join(', ')}`)
      found = `to fold from ${firstKey(resource)}: ${declared}`
      await inStep(async () => {
        await client.query(keptStill(resource.plural))
        await client.query(writersSql(resource))
        await client.query(`DELETE FROM ${grams} USING ${resource.plural} AS made
          WHERE made.id = ${grams}.id AND num_nonnulls(${columnsOf(resource, added)}) > 0`)
        await client.query(comment(grams, found))
      })
    } else if (!found.endsWith(`: ${declared}`)) {
      say('')
      found = `to fold from ${firstKey(resource)}: ${declared}`
      await inStep(async () => {
        await client.query(gramsSql(resource))
        await client.query(comment(grams, found))
      })
    }
    const [, last] = /^to fold from (.*?): /.exec(found) ?? []
    if (last !== undefined) await foldAnew(client, resource, inStep, last, declared, say)
    await fillGrams(client, resource, inStep, say)
    say(': its tree')
    await inStep(async () => {
      await client.query(`SET LOCAL maintenance_work_mem = '${INDEX_MEMORY}'`)
      await client.query(`CREATE INDEX IF NOT EXISTS ${grams}_index ON ${grams} USING gin (grams)`)
      await client.query(comment(grams, declared))
    })
  }
}

/** The searched fields that an existing index lacks; empty if it differs in anything else. */
function addedFields(resource: Resource, found: string): readonly string[] {
  const fields = searchedOf(resource)
  const { extensible: _none, ...closed } = resource
  // There are few: each selection of them may be the earlier declaration.
  for (let kept = 1; kept < 2 ** fields.length - 1; kept++) {
    const searched = fields.filter((_, at) => kept & (1 << at))
    const earlier = searched.includes(OWN) ? resource : closed
    if (found === declarationOf({ ...earlier, searched })) return fields.filter((field) => !searched.includes(field))
  }
  return []
}

const columnsOf = (resource: Resource, fields: readonly string[]): string =>
  fields.map((field) => columnOfField(resource, field)).join(', ')

/** Before every id. */
const firstKey = (resource: Resource): string => (isNumbered(resource) ? '0' : '')

/** Whether the indexes exist as declared. */
export async function isSearchPrepared(client: pg.Client, schema: Schema): Promise<boolean> {
  for (const resource of searchedIn(schema)) {
    if ((await commentOn(client, gramTable(resource.plural))) !== declarationOf(resource)) return false
  }
  return true
}

/** The memory for sorting a large index. */
const INDEX_MEMORY = '256MB'

const declarationOf = (resource: Resource): string =>
  `version ${GRAMS_VERSION}: ${createHash('sha256').update(gramsSql(resource)).digest('hex')}`

async function commentOn(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query('SELECT obj_description(to_regclass($1)) AS made', [table])
  return String(rows[0]?.made ?? '')
}

/** For our own texts, which have no quotes. */
const comment = (table: string, text: string): string => `COMMENT ON TABLE ${table} IS '${text}'`

/** A separate table: an update of a row makes every index on its table grow, and most updates change no text. */
function gramsSql(resource: Resource): string {
  const grams = gramTable(resource.plural)
  const key = isNumbered(resource) ? 'bigint' : 'text COLLATE "C"'
  return `
    DROP TABLE IF EXISTS ${grams};
    CREATE TABLE ${grams} (id ${key} PRIMARY KEY, grams tsvector NOT NULL);
    ${writersSql(resource)}`
}

/** The triggers that keep the table current. */
function writersSql(resource: Resource): string {
  const { plural: table } = resource
  const grams = gramTable(table)
  const gramsIn = (row: string): string => `grams_of(${gramText(resource, row, postgres)})`
  const differs = searchedColumns(resource).map((column) => `OLD.${column} IS DISTINCT FROM NEW.${column}`)
  const trigger = (name: string, when: string, then: string): string => `
    CREATE OR REPLACE FUNCTION ${grams}_${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${then}; RETURN NULL; END $$;
    CREATE OR REPLACE TRIGGER ${grams}_${name} AFTER ${when} EXECUTE FUNCTION ${grams}_${name}();
    ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${grams}_${name};`
  return `${GRAMS_OF}
    ${trigger(
      'inserted',
      `INSERT ON ${table} REFERENCING NEW TABLE AS made FOR EACH STATEMENT`,
      `INSERT INTO ${grams} SELECT made.id, ${gramsIn('made')} FROM made`,
    )}
    ${trigger(
      'updated',
      `UPDATE ON ${table} FOR EACH ROW WHEN (${differs.join(' OR ')})`,
      `UPDATE ${grams} SET grams = ${gramsIn('NEW')} WHERE id = NEW.id`,
    )}
    ${trigger('deleted', `DELETE ON ${table} FOR EACH ROW`, `DELETE FROM ${grams} WHERE id = OLD.id`)}
    ${trigger('emptied', `TRUNCATE ON ${table} FOR EACH STATEMENT`, `TRUNCATE ${grams}`)}`
}

/** Rows that get their grams in one step: other writers wait for it. */
const FILLED = 10_000
/** Characters after which a step ends too: this process has their grams in memory, and other writers wait. */
const MOST_CHARACTERS = 1_000_000

/** Rows in the order of their ids, as many as fit into a step: at least one. */
const inBounds = (rows: string, length: string, most: number): string => `
  SELECT * FROM (SELECT *, sum(${length}) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) - ${length} AS characters_before
    FROM (${rows} ORDER BY id LIMIT ${most}) AS next) AS summed WHERE characters_before < ${MOST_CHARACTERS} ORDER BY id`

/** Adds the grams of rows without grams. */
async function fillGrams(
  client: pg.Client,
  resource: Resource,
  inStep: InStep,
  say: (part: string) => void,
): Promise<void> {
  const { plural: table } = resource
  const grams = gramTable(table)
  const missing = `SELECT id, CASE WHEN NOT EXISTS (SELECT FROM ${grams} WHERE ${grams}.id = ${table}.id)
    THEN ${gramText(resource, table, postgres)} END AS text FROM ${table} WHERE id > $1`
  const next = inBounds(missing, 'coalesce(length(text), 0)', FILLED)
  // Cutting the texts here takes a tenth of the time that the database needs.
  const add = `INSERT INTO ${grams} SELECT id, array_to_tsvector(string_to_array(cut, E'\\002'))
    FROM unnest($1::${keyType(resource)}[], $2::text[]) AS made (id, cut)`
  let last: unknown = isNumbered(resource) ? 0 : ''
  let done = 0
  for (let count = 1; count > 0; done += count) {
    if (done > 0) say(`: grams of ${done} rows`)
    await inStep(async () => {
      await client.query(keptStill(table))
      const { rows } = await client.query<unknown[]>({ text: next, values: [last], rowMode: 'array' })
      const texts = rows.filter(([, text]) => typeof text === 'string')
      await client.query(add, [texts.map(([id]) => id), texts.map(([, text]) => cutIntoGrams(String(text)))])
      last = rows.at(-1)?.[0]
      count = rows.length
    })
  }
}

/** Cuts a text like `grams_of`: every three consecutive characters. */
function cutIntoGrams(text: string): string {
  const characters = Array.from(text)
  return characters
    .slice(2)
    .map((third, at) => `${characters[at]}${characters[at + 1]}${third}`)
    .join('\u0002')
}

const keyType = (resource: Resource): string => (isNumbered(resource) ? 'bigint' : 'text')

/** Nobody changes a row between reading it and writing the result. */
const keptStill = (table: string): string => `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`

/** The text from its first, second and third character on, cut into threes: a loop takes longer. */
const CUT = [1, 2, 3].map(
  (first) => `regexp_replace(substr($1, ${first}, (length($1) - ${first - 1}) / 3 * 3), '...', E'\\\\&\\002', 'g')`,
)

/** A function of one expression in plpgsql: an SQL function is planned for each row if it cannot be inlined. */
const GRAMS_OF = `
    CREATE OR REPLACE FUNCTION grams_of(text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$ BEGIN
      RETURN array_to_tsvector(string_to_array(rtrim(${CUT.join(' || ')}, E'\\002'), E'\\002'));
    END $$;`

const BATCH = 5000

/** Folds the texts of rows that were written before folded texts were stored, or folded differently, from an id on. */
async function foldAnew(
  client: pg.Client,
  resource: Resource,
  inStep: InStep,
  from: string,
  declared: string,
  say: (part: string) => void,
): Promise<void> {
  const { plural: table } = resource
  const texts = [...resource.texts, ...(resource.extensible ? [OWN] : [])]
  const columns = texts.map((name) => columnOfField(resource, name))
  const isFolded = mayBeFolded(resource, (column) => `octet_length(${column}) <> char_length(${column})`)
  const length = columns.map((column) => `coalesce(length(${column}), 0)`).join(' + ')
  const texted = `SELECT id, ${FOLDED}, ${columns.join(', ')} FROM ${table} WHERE id > $1 AND (${isFolded})`
  const next = inBounds(texted, `(${length})`, BATCH)
  let last = from
  for (let count = 1; count > 0; ) {
    await inStep(async () => {
      await client.query(keptStill(table))
      const { rows } = await client.query<unknown[]>({ text: next, values: [last], rowMode: 'array' })
      const other = rows.flatMap(([id, was, ...values]) => {
        const folded = foldedTexts(resource, thingOf(resource, texts, values))
        return folded === was ? [] : [{ id, folded }]
      })
      await client.query(
        `UPDATE ${table} SET ${FOLDED} = new.folded FROM unnest($1::${keyType(resource)}[], $2::text[]) AS new (id, folded) WHERE ${table}.id = new.id`,
        [other.map(({ id }) => id), other.map(({ folded }) => folded)],
      )
      count = rows.length
      last = String(rows.at(-1)?.[0] ?? last)
      const reached = count > 0 ? `to fold from ${last}` : 'folded'
      await client.query(comment(gramTable(table), `${reached}: ${declared}`))
    })
    if (count > 0) say(`: texts folded up to ${last}`)
  }
}
