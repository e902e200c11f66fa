import { room } from '../support/rooms/room.ts'

room(import.meta, [
  './openapi/documented-requests.test.ts',
  './openapi/openapi.test.ts',
  './reference/reference.test.ts',
])
