import { createHash } from 'node:crypto'

// What tests draw is the same in every run, for everybody, so what was green for one is not red for another by chance.
// TEST_DRAW=… draws otherwise, as the runs of each night do.

/** A number below another for what is drawn under a name. The setting of this name draws the same again. */
export function seedOf(setting: string, below = 2 ** 31): number {
  const asked = process.env[setting]
  if (asked !== undefined) return Number(asked)
  const { TEST_DRAW = '1' } = process.env
  return createHash('sha256').update(`${setting} ${TEST_DRAW}`).digest().readUInt32BE() % below
}
