import { randomUUID } from 'node:crypto'
import { type ImportProgress, importWaves } from '../../../src/imports/rows/import-waves.ts'
import type { GivenRow } from '../../../src/model/intent/import-rows.ts'
import { SERVICE } from '../../../src/store/port/desk.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { customer } from '../schema.ts'

type Batches = Iterable<readonly GivenRow[]> | AsyncIterable<readonly GivenRow[]>

/** Imports customers as the command line does, each batch in a commit of its own. */
export const importCustomers = (store: Store, batches: Batches): AsyncGenerator<ImportProgress> =>
  importWaves(wavesOf(batches), {
    store,
    resource: customer,
    actor: null,
    desk: store.as(SERVICE),
    dryRun: false,
    run: {
      id: randomUUID(),
      runner: randomUUID(),
      lease: 60_000,
      records: { resource: customer.plural, name: '', size: 0 },
    },
    onRejected: () => {},
  })

/** The same, as far as it came. */
export async function importAllCustomers(store: Store, batches: Batches): Promise<ImportProgress | undefined> {
  let last: ImportProgress | undefined
  for await (last of importCustomers(store, batches));
  return last
}

async function* wavesOf(batches: Batches) {
  let after = 0
  for await (const batch of batches) {
    const rows = batch.map((values, at) => ({ values, line: after + at + 1, row: () => '' }))
    yield { after, upto: after + rows.length, position: 0, rows, rejected: [] }
    after += rows.length
  }
}
