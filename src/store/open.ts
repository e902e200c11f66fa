import { existsSync } from 'node:fs'
import type { Settings } from '../config.ts'
import type { Maintenance } from './maintenance.ts'
import { sqliteMaintenance } from './sqlite/maintenance.ts'
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

/** The same for what an operator does; `mustExist` keeps it from making a database out of a misspelt name. */
export function openMaintenance(
  { databaseUrl }: Pick<Settings, 'databaseUrl'>,
  { mustExist }: { readonly mustExist: boolean },
): Maintenance {
  if (isPostgres(databaseUrl)) throw new UnusableDatabase('PostgreSQL is not served yet')
  if (mustExist) requireDatabase({ databaseUrl })
  return sqliteMaintenance(databaseUrl)
}

/** Throws `UnusableDatabase` where there is none. */
export function requireDatabase({ databaseUrl }: Pick<Settings, 'databaseUrl'>): void {
  if (isPostgres(databaseUrl) || existsSync(databaseUrl)) return
  throw new UnusableDatabase(`there is no database at ${databaseUrl}; DATABASE_URL says where it is`)
}

const isPostgres = (databaseUrl: string): boolean => /^postgres(ql)?:/.test(databaseUrl)
