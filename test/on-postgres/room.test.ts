import '../support/database/on-postgres.ts'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTogether } from '../support/rooms/room.ts'

// The tests that `test/support/rooms/each-store.ts` marks, once more.
process.env.TEST_AGAIN = 'true'
const all = globSync('../**/*.test.ts', { cwd: import.meta.dirname, exclude: ['**/room.test.ts'] })
const marked = all
  .map((file) => join(import.meta.dirname, file))
  .filter((file) => readFileSync(file, 'utf8').includes("/rooms/each-store.ts'"))
runTogether(marked.toSorted())
