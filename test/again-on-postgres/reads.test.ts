import '../support/database/on-postgres.ts'
import { room } from '../support/rooms/room.ts'

room(import.meta, [
  '../http/resources/asking.test.ts',
  '../http/resources/collections.test.ts',
  '../http/resources/customers.test.ts',
  '../http/resources/groups.test.ts',
  '../http/request/generated-input.test.ts',
  '../http/request/zero-characters.test.ts',
  '../http/resources/past.test.ts',
  '../http/resources/people.test.ts',
  '../http/resources/related.test.ts',
  '../http/resources/search.test.ts',
  '../http/resources/query-method.test.ts',
  '../http/resources/named-queries.test.ts',
  '../http/resources/task-pages.test.ts',
  '../monitoring/metrics.test.ts',
  '../views/served/lists.test.ts',
  '../views/served/overview.test.ts',
  '../views/served/reports.test.ts',
])
