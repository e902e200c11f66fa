import { room } from './support/rooms/room.ts'

room(import.meta, [
  './client/asking.test.ts',
  './client/client.test.ts',
  './monitoring/logs.test.ts',
  './monitoring/metrics.test.ts',
  './monitoring/traces.test.ts',
  './views/served/lists.test.ts',
  './views/served/commands.test.ts',
  './views/served/overview.test.ts',
  './views/served/reports.test.ts',
  './views/served/roles.test.ts',
  './views/served/webhooks.test.ts',
])
