import { room } from '../support/rooms/room.ts'

room(import.meta, [
  './gate/access-tokens.test.ts',
  './gate/cross-site.test.ts',
  './gate/limits.test.ts',
  './gate/offers.test.ts',
  './gate/open-and-closed.test.ts',
  './gate/rate-limiter.test.ts',
  './gate/routes.test.ts',
  './gate/security-headers.test.ts',
])
