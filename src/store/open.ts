import { existsSync } from 'node:fs'
import type { Settings } from '../config.ts'
import { isUsedByOthers, prepareDatabase } from './sqlite/connect.ts'
import { openSqlite } from './sqlite/open.ts'
import type { Store } from './store.ts'
import { UnusableDatabase } from './unusable.ts'

/** The address picks the adapter. */
export async function openStore(
  { databaseUrl, currency }: Pick<Settings, 'databaseUrl' | 'currency'>,
  onFatal: (cause: Error) => void,
): Promise<Store> {
  if (isPostgres(databaseUrl)) throw new UnusableDatabase('PostgreSQL is not served yet')
  return openSqlite({ path: databaseUrl, currency, onFatal })
}

/** Throws `UnusableDatabase` where there is none: what only reads must not make one out of a misspelt name. */
export function requireDatabase({ databaseUrl }: Pick<Settings, 'databaseUrl'>): void {
  if (isPostgres(databaseUrl) || existsSync(databaseUrl)) return
  throw new UnusableDatabase(`there is no database at ${databaseUrl}; DATABASE_URL says where it is`)
}

/** Whether no other program uses the database; to be asked before this one opens it. */
export function isUnused({ databaseUrl }: Pick<Settings, 'databaseUrl'>): boolean {
  if (isPostgres(databaseUrl)) return false
  // First, so that a file of another program is refused and not touched.
  prepareDatabase(databaseUrl)
  return !isUsedByOthers(databaseUrl)
}

const isPostgres = (databaseUrl: string): boolean => /^postgres(ql)?:/.test(databaseUrl)
