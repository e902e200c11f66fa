import { room } from './support/rooms/room.ts'

room(import.meta, [
  './store/accounts.test.ts',
  './store/contract.test.ts',
  './store/copy-command.test.ts',
  './store/copy-database.test.ts',
  './store/declared-columns.test.ts',
  './store/earlier-amounts.test.ts',
  './store/earlier-webhooks.test.ts',
  './store/fill.test.ts',
  './store/indexes.test.ts',
  './store/kept-events.test.ts',
  './store/operating.test.ts',
  './store/ordered-ids.test.ts',
  './store/periods.test.ts',
  './store/same-outcomes.test.ts',
  './store/search-index.test.ts',
  './store/simple-model.test.ts',
  './store/together.test.ts',
  './store/trimming.test.ts',
])
