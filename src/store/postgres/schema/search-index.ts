import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Resource, Thing } from '../../../model/resource.ts'
import { resources } from '../../../model/resources.ts'
import { columnOfField, FOLDED, foldedTexts, isNumbered } from '../../rows/things.ts'
import { GRAMS_VERSION, gramTable, gramText, searchedColumns, searchedOf } from '../../sql/grams.ts'
import { postgres } from '../dialect.ts'

/**
 * Makes the indexes of grams that the resources declare, in the transaction of the migrations. Triggers keep them, so
 * that they are right whoever writes, a replica too; a comment tells whether what is there is what is declared. decisions/0029
 */
export async function prepareSearch(client: pg.Client): Promise<void> {
  for (const resource of resources) {
    if (searchedOf(resource).length === 0) continue
    const grams = gramTable(resource.plural)
    const making = gramsSql(resource)
    const declared = `version ${GRAMS_VERSION}: ${createHash('sha256').update(making).digest('hex')}`
    const found = await client.query(`SELECT obj_description(to_regclass($1)) AS made`, [grams])
    if (found.rows[0]?.made === declared) continue
    await foldAnew(client, resource)
    await client.query(making)
    await client.query(`COMMENT ON TABLE ${grams} IS '${declared}'`)
  }
}

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
    ${trigger('emptied', `TRUNCATE ON ${table} FOR EACH STATEMENT`, `TRUNCATE ${grams}`)}
    INSERT INTO ${grams} SELECT id, ${gramsIn(table)} FROM ${table};
    CREATE INDEX ${grams}_index ON ${grams} USING gin (grams);`
}

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

/** Folds the texts of rows that were written before this was kept, or folded otherwise. */
async function foldAnew(client: pg.Client, resource: Resource): Promise<void> {
  const { plural: table, texts } = resource
  const columns = texts.map((name) => columnOfField(resource, name))
  const isBeyondAscii = columns.map((column) => `octet_length(${column}) <> char_length(${column})`).join(' OR ')
  let last: unknown = isNumbered(resource) ? 0 : ''
  for (;;) {
    const { rows } = await client.query<unknown[]>({
      text: `SELECT id, ${columns.join(', ')} FROM ${table} WHERE id > $1 AND (${isBeyondAscii}) ORDER BY id LIMIT ${BATCH}`,
      values: [last],
      rowMode: 'array',
    })
    if (rows.length === 0) return
    const folded = rows.map(([, ...values]) =>
      foldedTexts(resource, Object.fromEntries(texts.map((name, at) => [name, values[at]])) as unknown as Thing),
    )
    const key = isNumbered(resource) ? 'bigint' : 'text'
    await client.query(
      `UPDATE ${table} SET ${FOLDED} = new.folded FROM unnest($1::${key}[], $2::text[]) AS new (id, folded) WHERE ${table}.id = new.id`,
      [rows.map(([id]) => id), folded],
    )
    last = rows.at(-1)?.[0]
  }
}
