import { openStore } from '../../../src/store/open.ts'
import { performAlone } from '../../../src/store/port/store.ts'

// Another process: adds a note to a deal in the database that it is given.

const [, , databaseUrl = '', deal = ''] = process.argv
const store = await openStore({ databaseUrl, currency: 'EUR' }, console.error)
const outcome = await performAlone(store, {
  resource: 'deal',
  target: deal,
  change: { action: 'add-note', params: { text: 'from afar' } },
  pointers: { target: '', action: '', params: '' },
  faults: [],
  guard: { required: false },
  actor: null,
  form: 'verb',
  dryRun: false,
})
process.stdout.write(outcome.kind)
await store.close()
