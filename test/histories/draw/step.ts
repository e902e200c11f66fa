import { pick } from '../../../src/demo/random.ts'
import type { Step } from '../step.ts'
import { chance, type Drawing, type Drawn, weighted } from './drawing.ts'
import { file } from './files.ts'
import { many } from './many.ts'
import { asked, wanted, wantedOfModel } from './operations.ts'
import { read } from './reads.ts'

/** The next step of a history. */
export function drawStep(drawing: Drawing): Step {
  const { at, repeatable } = drawing
  const drawn = weighted<() => Omit<Step, 'at'>>(drawing, [
    [560, () => around(drawing, asked(drawing, wanted(drawing)))],
    [130, () => around(drawing, many(drawing))],
    // Much of what follows depends on the model.
    [at < EARLY ? 500 : 50, () => asked(drawing, wantedOfModel(drawing))],
    // A model that has changed since is what a repeat may stumble over.
    [repeatable.length === 0 ? 0 : 60, () => pick(repeatable, drawing.random)],
    [180, () => read(drawing)],
    [12, () => file(drawing)],
    [10, () => ({ does: 'purge' })],
    [1, () => ({ does: 'restart' })],
    [3, () => ({ does: 'look' })],
  ])()
  return { ...drawn, at } as Step
}

/** Steps at the beginning of a history. */
const EARLY = 6

/** What may stand around any write: a key, a guard, or that it is only tried. */
function around(drawing: Drawing, drawn: Drawn): Drawn {
  const { random, at } = drawing
  const headers = {
    ...(chance(drawing, 12) && { 'idempotency-key': `k-${at}` }),
    ...(chance(drawing, 4) && { 'if-match': pick(['*', '"1-json"', '"2-json"'], random) }),
    ...(chance(drawing, 6) && { prefer: pick(['return=minimal', 'return=representation'], random) }),
    ...drawn.headers,
  }
  const dry = chance(drawing, 6)
  const path = dry ? `${drawn.path}${drawn.path.includes('?') ? '&' : '?'}dry-run=true` : drawn.path
  return { ...drawn, path, headers, ...(dry && { dry }) }
}
