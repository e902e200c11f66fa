import { room } from './support/rooms/room.ts'

room(import.meta, [
  './access/access.test.ts',
  './access/hashing.test.ts',
  './access/password.test.ts',
  './access/oidc/admit-person.test.ts',
  './access/oidc/provider.test.ts',
  './access/oidc/settings.test.ts',
])
