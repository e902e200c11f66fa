import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Thing } from '../../../model/resource.ts'
import type { Resource, Schema } from '../../../model/schema.ts'
import type { OnStep } from '../../port/opening.ts'
import { columnOfField, FOLDED, foldedTexts, isNumbered } from '../../rows/things.ts'
import { GRAMS_VERSION, gramTable, gramText, searchedColumns, searchedIn } from '../../select/grams.ts'
import { postgres } from '../sql/dialect.ts'

/** Runs statements as one step: a transaction of its own, or a part of the one that makes a new database. */
export type InStep = (work: () => Promise<unknown>) => Promise<void>

/**
 * Makes the indexes of grams that the resources declare, in steps: a table and the triggers that keep it, so that it is right
 * whoever writes meanwhile; the folded texts and the grams of the rows that were there before, some at a time; then the
 * index. The comment on the table says what was declared, and how far this came. decisions/0029
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
    if (!found.endsWith(`: ${declared}`)) {
      say('')
      found = `to fold from ${isNumbered(resource) ? 0 : ''}: ${declared}`
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
      await client.query(`CREATE INDEX ${grams}_index ON ${grams} USING gin (grams)`)
      await client.query(comment(grams, declared))
    })
  }
}

/** Whether the indexes are there as they are declared. */
export async function isSearchPrepared(client: pg.Client, schema: Schema): Promise<boolean> {
  for (const resource of searchedIn(schema)) {
    if ((await commentOn(client, gramTable(resource.plural))) !== declarationOf(resource)) return false
  }
  return true
}

/** What a large index is sorted in. */
const INDEX_MEMORY = '256MB'

const declarationOf = (resource: Resource): string =>
  `version ${GRAMS_VERSION}: ${createHash('sha256').update(gramsSql(resource)).digest('hex')}`

async function commentOn(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query('SELECT obj_description(to_regclass($1)) AS made', [table])
  return String(rows[0]?.made ?? '')
}

/** Of our own texts, which have no quotes. */
const comment = (table: string, text: string): string => `COMMENT ON TABLE ${table} IS '${text}'`

/** A table of its own: an update of a row makes every index on its table grow, and most updates change no text. */
function gramsSql(resource: Resource): string {
  const { plural: table } = resource
  const grams = gramTable(table)
  const key = isNumbered(resource) ? 'bigint' : 'text COLLATE "C"'
  const gramsIn = (row: string): string => `grams_of(${gramText(resource, row, postgres)})`
  const differs = searchedColumns(resource).map((column) => `OLD.${column} IS DISTINCT FROM NEW.${column}`)
  const trigger = (name: string, when: string, then: string): string => `
    CREATE OR REPLACE FUNCTION ${grams}_${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${then}; RETURN NULL; END $$;
    CREATE OR REPLACE TRIGGER ${grams}_${name} AFTER ${when} EXECUTE FUNCTION ${grams}_${name}();
    ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${grams}_${name};`
  return `
    DROP TABLE IF EXISTS ${grams};
    CREATE TABLE ${grams} (id ${key} PRIMARY KEY, grams tsvector NOT NULL);
    ${GRAMS_OF}
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

/** Rows that get their grams in one step: others wait for as long as it takes. */
const FILLED = 10_000
/** Characters after which a step ends too: this process has their grams in memory, and others wait for those as well. */
const MOST_CHARACTERS = 1_000_000

/** Of rows in the order of their ids, as many as a step takes: at least one. */
const inBounds = (rows: string, length: string, most: number): string => `
  SELECT * FROM (SELECT *, sum(${length}) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) - ${length} AS characters_before
    FROM (${rows} ORDER BY id LIMIT ${most}) AS next) AS summed WHERE characters_before < ${MOST_CHARACTERS} ORDER BY id`

/** Adds the grams of rows that have none. */
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
  // Cutting the texts here takes a tenth of what the database takes for it.
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

/** As `grams_of` cuts a text: every three characters that follow each other. */
function cutIntoGrams(text: string): string {
  const characters = Array.from(text)
  return characters
    .slice(2)
    .map((third, at) => `${characters[at]}${characters[at + 1]}${third}`)
    .join('\u0002')
}

const keyType = (resource: Resource): string => (isNumbered(resource) ? 'bigint' : 'text')

/** Nobody changes a row between its reading and the writing of what was made of it. */
const keptStill = (table: string): string => `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`

/** What begins at the first, the second and the third character, cut into threes: a loop takes longer. */
const CUT = [1, 2, 3].map(
  (first) => `regexp_replace(substr($1, ${first}, (length($1) - ${first - 1}) / 3 * 3), '...', E'\\\\&\\002', 'g')`,
)

/** A function of one expression in plpgsql: one in SQL is planned for each row where it cannot be inlined. */
const GRAMS_OF = `
    CREATE OR REPLACE FUNCTION grams_of(text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$ BEGIN
      RETURN array_to_tsvector(string_to_array(rtrim(${CUT.join(' || ')}, E'\\002'), E'\\002'));
    END $$;`

const BATCH = 5000

/** Folds the texts of rows that were written before this was kept, or folded otherwise, from one id on. */
async function foldAnew(
  client: pg.Client,
  resource: Resource,
  inStep: InStep,
  from: string,
  declared: string,
  say: (part: string) => void,
): Promise<void> {
  const { plural: table, texts } = resource
  const columns = texts.map((name) => columnOfField(resource, name))
  const isBeyondAscii = columns.map((column) => `octet_length(${column}) <> char_length(${column})`).join(' OR ')
  const length = columns.map((column) => `coalesce(length(${column}), 0)`).join(' + ')
  const texted = `SELECT id, ${FOLDED}, ${columns.join(', ')} FROM ${table} WHERE id > $1 AND (${isBeyondAscii})`
  const next = inBounds(texted, `(${length})`, BATCH)
  let last = from
  for (let count = 1; count > 0; ) {
    await inStep(async () => {
      await client.query(keptStill(table))
      const { rows } = await client.query<unknown[]>({ text: next, values: [last], rowMode: 'array' })
      const other = rows.flatMap(([id, was, ...values]) => {
        const thing = Object.fromEntries(texts.map((name, at) => [name, values[at]])) as unknown as Thing
        const folded = foldedTexts(resource, thing)
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
