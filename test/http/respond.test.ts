import { room } from '../support/rooms/room.ts'

room(import.meta, [
  './respond/bounded-problems.test.ts',
  './respond/problems.test.ts',
  './respond/under-a-path.test.ts',
])
