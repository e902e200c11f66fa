import { openSqlite } from '../../src/store/sqlite/open.ts'

// Another process: adds a note to a deal in the file that it is given.

const [, , path = '', deal = ''] = process.argv
const store = await openSqlite({ path, currency: 'EUR', onFatal: console.error })
const outcome = await store.perform({
  deal,
  change: { action: 'add-note', params: { text: 'from afar' } },
  pointers: { deal: '', action: '', params: '' },
  faults: [],
  guard: { required: false },
  actor: null,
  form: 'verb',
  dryRun: false,
})
process.stdout.write(outcome.kind)
await store.close()
