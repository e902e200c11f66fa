import { pick } from '../../../src/demo/random.ts'
import type { Step } from '../step.ts'
import { chance, type Drawing, type Drawn, weighted } from './drawing.ts'
import { file } from './files.ts'
import { many } from './many.ts'
import { asked, wanted, wantedOfModel } from './operations.ts'
import { read } from './reads.ts'

/** The next step of a history. */
export function drawStep(drawing: Drawing): Step {
  const { at } = drawing
  const drawn = weighted<() => Omit<Step, 'at'>>(drawing, [
    [600, () => around(drawing, asked(drawing, wanted(drawing)))],
    [110, () => around(drawing, many(drawing))],
    [50, () => asked(drawing, wantedOfModel(drawing))],
    [40, () => repeated(drawing)],
    [180, () => read(drawing)],
    [12, () => file(drawing)],
    [3, () => ({ does: 'purge' })],
    [1, () => ({ does: 'restart' })],
    [4, () => ({ does: 'look' })],
  ])()
  return { ...drawn, at } as Step
}

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

/** The same again, or for the first time if there is nothing to repeat. */
function repeated(drawing: Drawing): Omit<Step, 'at'> {
  const { repeatable, random } = drawing
  if (repeatable.length === 0) return asked(drawing, wanted(drawing))
  return pick(repeatable, random)
}

/** Whether a step may be sent again and then mean the same. */
export const isRepeatable = (step: Step): boolean =>
  step.does === 'ask' &&
  (/\b[cdb]-\d+/.test(`${step.path} ${step.body}`) || step.headers?.['idempotency-key'] !== undefined)
