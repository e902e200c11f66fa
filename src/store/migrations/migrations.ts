import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One step of the tables of an engine. */
export interface Migration {
  /** Such as `0047-own-values`: the file is this, the engine and `sql`. */
  readonly name: string
  readonly sql: string
}

/**
 * The migrations of an engine in order: the version of a database is how many of them it has run. A released file is
 * never edited, moved or removed. A start needs their number only, so a text is read when it is asked for.
 */
export function migrationsFor(engine: string): readonly Migration[] {
  const ending = `.${engine}.sql`
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith(ending))
  return files.toSorted().map((file) => ({
    name: file.slice(0, -ending.length),
    get sql() {
      return readFileSync(join(import.meta.dirname, file), 'utf8')
    },
  }))
}
