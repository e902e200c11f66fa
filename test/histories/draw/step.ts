import { pick } from '../../../src/demo/random.ts'
import type { Asking, Step } from '../step.ts'
import { chance, type Drawing, type Drawn, weighted } from './drawing.ts'
import { file } from './files.ts'
import { many } from './many.ts'
import { asked, wanted, wantedOfModel } from './operations.ts'
import { read } from './reads.ts'

/** The next step of a history. */
export function drawStep(drawing: Drawing): Step {
  const { at, repeatable, previous } = drawing
  const drawn = weighted<() => Omit<Step, 'at'>>(drawing, [
    [560, () => around(drawing, asked(drawing, wanted(drawing)))],
    [130, () => around(drawing, many(drawing))],
    // Much of what follows depends on the model.
    [at < EARLY ? 500 : 50, () => asked(drawing, wantedOfModel(drawing))],
    // A model that has changed since is what a repeat may stumble over.
    [repeatable.length === 0 ? 0 : changesModel(previous) ? 600 : 60, () => repeated(drawing)],
    [180, () => read(drawing)],
    [12, () => file(drawing)],
    [deletes(previous) ? 200 : 10, () => ({ does: 'purge' })],
    [1, () => ({ does: 'restart' })],
    [3, () => ({ does: 'look' })],
  ])()
  return { ...drawn, at } as Step
}

/** Steps at the beginning of a history. */
const EARLY = 6

const changesModel = (step: Step | undefined): boolean =>
  step?.does === 'ask' && /^\/(?:fields|pipelines)\/|(?:Field|Pipeline)"/.test(`${step.path} ${step.body}`)

const deletes = (step: Step | undefined): boolean =>
  step?.does === 'ask' && (step.method === 'DELETE' || /delete/i.test(`${step.path} ${step.body}`))

/** Most often one that names its thing by a value that may have become another's, or nobody's. */
function repeated({ repeatable, random }: Drawing): Asking {
  const byValue = repeatable.filter(({ path, body }) => /\/by\/own|"own\./.test(`${path} ${body}`))
  return pick(byValue.length > 0 && random(3) > 0 ? byValue : repeatable, random)
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
