import { room } from './support/rooms/room.ts'

room(import.meta, [
  './events/addresses.test.ts',
  './events/deliveries.test.ts',
  './events/feed.test.ts',
  './events/live-stream.test.ts',
  './events/sending.test.ts',
  './events/stream-readers.test.ts',
  './events/trimmed.test.ts',
  './events/two-instances.test.ts',
])
