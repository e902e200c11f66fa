import '../support/database/on-postgres.ts'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { seedOf } from '../support/inputs/draw.ts'
import { runTogether } from '../support/rooms/room.ts'

// The tests that `test/support/rooms/each-store.ts` marks, once more: those of every sixth file.
// AGAIN_PART=0 to 5 takes other files; `npm run test:long -- postgres` takes all.
process.env.TEST_AGAIN = 'true'
const PARTS = 6
const part = process.env.AGAIN_PART ?? String(seedOf('AGAIN_PART', PARTS))
process.stdout.write(`again on PostgreSQL: AGAIN_PART=${part}\n`)
const all = globSync('../**/*.test.ts', { cwd: import.meta.dirname, exclude: ['**/room.test.ts'] })
const marked = all
  .map((file) => join(import.meta.dirname, file))
  .filter((file) => readFileSync(file, 'utf8').includes("/rooms/each-store.ts'"))
runTogether(marked.toSorted().filter((_, at) => part === 'all' || String(at % PARTS) === part))
