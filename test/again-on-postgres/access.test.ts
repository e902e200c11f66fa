import '../support/database/on-postgres.ts'
import { room } from '../support/rooms/room.ts'

room(import.meta, [
  '../access/access.test.ts',
  '../http/gate/open-and-closed.test.ts',
  '../http/resources/users.test.ts',
  '../http/sign-in/sign-in.test.ts',
])
