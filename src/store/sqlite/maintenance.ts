import { resolve } from 'node:path'
import type { Maintenance } from '../port/maintenance.ts'
import { backupDatabase } from './backup.ts'
import { prepareDatabase } from './connect.ts'
import { fillDatabase } from './fill.ts'
import { importCustomers } from './import-customers.ts'
import { purgeDeals } from './purge.ts'

/** Each of these uses connections of its own, for as long as it runs. */
export function sqliteMaintenance(path: string): Maintenance {
  const file = resolve(path)
  const opening = prepareDatabase(file)
  return {
    opening,
    importCustomers: (source, expected) => importCustomers(file, source, expected),
    fill: async (content) => fillDatabase(file, content),
    backup: (target, onProgress) => backupDatabase(file, target, onProgress),
    purge: (before, { dryRun }) => purgeDeals(file, before, dryRun),
  }
}
