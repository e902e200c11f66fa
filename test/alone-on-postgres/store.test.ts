import { room } from '../support/rooms/room.ts'

room(import.meta, [
  '../store/postgres/starting.test.ts',
  '../store/postgres/connect/faults.test.ts',
  '../store/postgres/connect/own-faults.test.ts',
  '../store/postgres/feed/feed-order.test.ts',
  '../store/postgres/feed/two-readers.test.ts',
  '../store/postgres/read/claims.test.ts',
  '../store/postgres/read/led-search.test.ts',
  '../store/postgres/read/pages.test.ts',
  '../store/postgres/read/regex.test.ts',
  '../store/postgres/read/searches.test.ts',
  '../store/postgres/write/array-text.test.ts',
  '../store/postgres/write/batches.test.ts',
  '../store/postgres/write/lost-connection.test.ts',
])
