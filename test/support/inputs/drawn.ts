import type { test as anyTest } from 'node:test'
import { seedOf } from './draw.ts'

// Of a matrix whose cells hardly differ a run takes a part, and so it does of tests that end processes and databases, and
// of what people do on the largest pages. MATRIX_SEED takes another part; `npm run test:long -- matrices`, `faults` and
// `browser` take all.

const SEED = seedOf('MATRIX_SEED', 1000)
const all = process.env.MATRICES === 'all'
if (!all) process.stdout.write(`of matrices a part is taken: MATRIX_SEED=${SEED}\n`)

/** Whether the nth cell is in the part that is drawn, one of so many. */
export const isDrawn = (nth: number, of: number): boolean => all || (nth + SEED) % of === 0

/** One of them, or all. */
export const drawn = <T>(each: readonly T[], nth: number): readonly T[] =>
  all ? each : each.filter((_, at) => at === (nth + SEED) % each.length)

/** Takes every second of the tests that a file gives it. */
export function everySecond(test: typeof anyTest): typeof anyTest {
  let nth = 0
  const drawnTest = (...given: Parameters<typeof anyTest>): Promise<void> =>
    isDrawn(nth++, 2) ? test(...given) : Promise.resolve()
  return drawnTest as typeof anyTest
}
