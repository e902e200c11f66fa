import { room } from './support/rooms/room.ts'

room(import.meta, [
  './store/group-commit.test.ts',
  './store/no-copies.test.ts',
  './store/sql/numbered-pages.test.ts',
  './store/sql/select-items.test.ts',
  './store/sql/select-plan.test.ts',
  './store/sql/select.test.ts',
])
