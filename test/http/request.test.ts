import { room } from '../support/rooms/room.ts'

room(import.meta, [
  './request/bad-input.test.ts',
  './request/dry-run.test.ts',
  './request/generated-input.test.ts',
  './request/hostile-trees.test.ts',
  './request/methods.test.ts',
  './request/minimal-answers.test.ts',
  './request/order-of-checks.test.ts',
  './request/parse-json.test.ts',
  './request/preconditions.test.ts',
  './request/unknown-parameters.test.ts',
  './request/zero-characters.test.ts',
])
