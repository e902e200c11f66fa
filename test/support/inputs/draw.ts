import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// What tests draw depends on the sources alone. A run of the same sources draws the same, whenever and wherever it is,
// so what was green for one is not red for another by chance; after a change it draws something else.
// TEST_DRAW=… draws otherwise, as the runs of each night do.

const project = join(import.meta.dirname, '../../..')

/** The run tells its processes, so that one of them reads the sources. */
export function drawOfRun(): string {
  process.env.TEST_DRAW ??= digest()
  return process.env.TEST_DRAW
}

function digest(): string {
  const hash = createHash('sha256')
  for (const file of globSync('{src,test}/**/*.{ts,js,json,css}', { cwd: project }).toSorted()) {
    hash.update(file).update(readFileSync(join(project, file)))
  }
  return hash.digest('hex').slice(0, 16)
}

/** A number below another for what is drawn under a name. The setting of this name draws the same again. */
export function seedOf(setting: string, below = 2 ** 31): number {
  const asked = process.env[setting]
  if (asked !== undefined) return Number(asked)
  return createHash('sha256').update(`${setting} ${drawOfRun()}`).digest().readUInt32BE() % below
}
