import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import type { Resource } from '../../../src/model/declaration/schema.ts'
import { columnOfField, foldedTexts, thingOf } from '../../../src/store/rows/things.ts'
import { fold } from '../../../src/values/fold.ts'
import { resources } from '../schema.ts'
import type { OwnDatabase } from './own-database.ts'

/** The index of grams has those of every row that does not wait to be indexed, made from scratch here, and of no other. */
export async function assertSearchIndex(database: Pick<OwnDatabase, 'url' | 'rows'>): Promise<void> {
  for (const resource of resources) {
    const texts = [...resource.texts, ...(resource.extensible ? ['own'] : [])]
    const stored = ['folded', ...texts.map((field) => `${columnOfField(resource, field)} AS "${field}"`)]
    for (const { folded, ...thing } of await database.rows(`SELECT ${stored} FROM ${resource.plural}`))
      assert.equal(
        folded,
        foldedTexts(
          resource,
          thingOf(
            resource,
            texts,
            texts.map((name) => thing[name]),
          ),
        ),
        `${resource.name} ${inspect(thing)}`,
      )
    const fields = (resource.searched ?? []).filter((field) => field in resource.kinds)
    if (fields.length === 0) continue
    const columns = fields.map((field) => `${columnOfField(resource, field)} AS "${field}"`).join(', ')
    const rows = await database.rows(`SELECT id, ${columns} FROM ${resource.plural}${indexed(database, resource)}`)
    const expected = rows.flatMap(({ id, ...texts }) => {
      const grams = fields.flatMap((field) => {
        const text = texts[field] === null ? '' : String(texts[field])
        return [...gramsOf(text), ...(resource.dialled?.includes(field) ? gramsOf(digitsOf(text)) : [])]
      })
      return [...new Set(grams)].map((gram) => `${id} ${gram}`)
    })
    const kept = await keptGrams(database, resource)
    assert.deepEqual(kept.toSorted(), expected.toSorted(), resource.plural)
  }
}

/** On SQLite a few of the latest rows are searched without the index. */
const indexed = ({ url }: Pick<OwnDatabase, 'url'>, { plural }: Resource): string =>
  url.startsWith('postgres') ? '' : ` WHERE rowid NOT IN (SELECT row FROM ${plural}_grams_later)`

/** The digits of a phone number; nothing where they are too few, or the text has them as they are. */
function digitsOf(phone: string): string {
  const digits = fold(phone).replaceAll(/\D/g, '')
  return digits.length < 5 || fold(phone).includes(digits) ? '' : digits
}

function gramsOf(text: string): readonly string[] {
  const characters = [...Array.from(fold(text)), '\u0001', '\u0001']
  return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''))
}

async function keptGrams({ url, rows }: Pick<OwnDatabase, 'url' | 'rows'>, { plural }: Resource) {
  const kept = url.startsWith('postgres')
    ? await rows(`SELECT id, unnest(tsvector_to_array(grams)) AS gram FROM ${plural}_grams`)
    : await rows(
        `SELECT id, term AS gram FROM ${plural}_grams_terms AS kept LEFT JOIN ${plural} ON ${plural}.rowid = kept.doc
         WHERE kept.doc NOT IN (SELECT row FROM ${plural}_grams_later)`,
      )
  // Where two texts meet there are grams of both; nobody looks for those.
  const isWithin = ({ gram }: (typeof kept)[number]) => !/^\u0001|\u0001[^\u0001]/u.test(String(gram))
  return kept.filter(isWithin).map(({ id, gram }) => `${id} ${gram}`)
}
