import type { Settings } from '../config.ts'
import { openSqlite } from './sqlite/open.ts'
import type { Store } from './store.ts'
import { UnusableDatabase } from './unusable.ts'

/** The address picks the adapter. */
export async function openStore(
  { databaseUrl, currency }: Pick<Settings, 'databaseUrl' | 'currency'>,
  onFatal: (cause: Error) => void,
): Promise<Store> {
  if (/^postgres(ql)?:/.test(databaseUrl)) throw new UnusableDatabase('PostgreSQL is not served yet')
  return openSqlite({ path: databaseUrl, currency, onFatal })
}
