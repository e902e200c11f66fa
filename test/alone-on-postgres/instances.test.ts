import { room } from '../support/rooms/room.ts'

room(import.meta, [
  '../store/postgres/connect/outage.test.ts',
  '../store/postgres/feed/hot-deal.test.ts',
  '../store/postgres/write/two-instances.test.ts',
])
