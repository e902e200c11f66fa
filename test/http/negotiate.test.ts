import { room } from '../support/rooms/room.ts'

room(import.meta, [
  './negotiate/compression.test.ts',
  './negotiate/negotiation.test.ts',
  './negotiate/representations.test.ts',
  './negotiate/whole-formats.test.ts',
])
