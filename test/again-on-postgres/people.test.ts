import '../support/database/on-postgres.ts'
import { room } from '../support/rooms/room.ts'

room(import.meta, [
  '../http/resources/my-deals.test.ts',
  '../http/resources/people.test.ts',
  '../http/resources/provider-sign-in.test.ts',
  '../http/resources/task-pages.test.ts',
  '../http/resources/user-pages.test.ts',
])
