import { room } from '../support/rooms/room.ts'

room(import.meta, [
  './doors/door-matrix.test.ts',
  './doors/doors.test.ts',
  './doors/graphql.test.ts',
  './doors/jsonapi.test.ts',
  './doors/mcp.test.ts',
  './doors/odata-model.test.ts',
  './doors/odata.test.ts',
  './doors/postgrest.test.ts',
  './doors/rpc.test.ts',
])
