import '../support/database/on-postgres.ts'
import { room } from '../support/rooms/room.ts'

room(import.meta, [
  '../events/deliveries.test.ts',
  '../events/feed.test.ts',
  '../events/live-stream.test.ts',
  '../events/two-instances.test.ts',
  '../http/resources/subscriptions.test.ts',
  '../views/served/webhooks.test.ts',
])
