import { randomFrom } from '../../src/demo/random.ts'
import { drawStep } from './draw/step.ts'
import { shrunk } from './shrink.ts'
import { type Asking, isRepeatable, type Step } from './step.ts'
import { Story } from './story.ts'

/** A history that fails: what it showed, and the steps that show it. */
export interface Failure {
  readonly seed: number
  readonly cause: Error
  readonly steps: readonly Step[]
}

/** Draws a history and tells it to new services; gives the first step that fails, with all before it. */
export async function tellDrawn(seed: number, length: number): Promise<Failure | undefined> {
  const story = await Story.open(kindIn(seed))
  const steps: Step[] = []
  const repeatable: Asking[] = []
  const random = randomFrom(seed)
  try {
    for (let at = 0; at < length; at++) {
      const { schema, known } = story
      const step: Step =
        at < length - 1
          ? drawStep({ random, at, schema, known, repeatable, previous: steps.at(-1) })
          : { at, ...end(seed) }
      steps.push(step)
      if (isRepeatable(step)) repeatable.push(step)
      await story.perform(step)
    }
    return undefined
  } catch (cause) {
    return { seed, cause: cause as Error, steps }
  } finally {
    await story.close()
  }
}

// What takes as long as the history itself is done with some: each seed in turn.

const kindIn = (seed: number) => ({ isFollowed: seed % 4 === 0, hasPeople: seed % 4 === 2 })

const end = (seed: number): Pick<Step, 'does'> & { readonly does: 'look' | 'examine' } => ({
  does: seed % 4 === 1 ? 'examine' : 'look',
})

/** Tells steps to new services; gives what fails. */
export async function replay(steps: readonly Step[], seed: number): Promise<Failure | undefined> {
  const story = await Story.open(kindIn(seed))
  const told: Step[] = []
  try {
    for (const step of steps) {
      told.push(step)
      await story.perform(step)
    }
    return undefined
  } catch (cause) {
    return { seed, cause: cause as Error, steps: told }
  } finally {
    await story.close()
  }
}

/** The same failure by few steps. */
export async function shortest(failure: Failure, tries: number): Promise<Failure> {
  let best = failure
  const fails = async (steps: readonly Step[]): Promise<readonly Step[] | undefined> => {
    const again = await replay(steps, failure.seed)
    if (again === undefined || kindOf(again.cause) !== kindOf(failure.cause)) return undefined
    best = again
    return again.steps
  }
  await shrunk(failure.steps, fails, tries)
  return best
}

/** What failures of one cause have in common. */
export const kindOf = ({ message }: Error): string =>
  (message.split('\n', 1)[0] ?? '')
    .replaceAll(/\b(?:ID|UP)\d+n\d+Z/g, 'ID')
    .replaceAll(/[[{].*|\?.*?(?= |$)/g, '…')
    .replaceAll(/\d+/g, 'N')

/** How a person reads it: a line for each step, what it showed, and what tells it again. */
export function written({ seed, cause, steps }: Failure): string {
  const lines = steps.map((step) => {
    if (step.does === 'import') return `${step.at}: import ${JSON.stringify(step)}`
    if (step.does !== 'ask') return `${step.at}: ${step.does}`
    const { 'content-type': _type, ...headers } = step.headers ?? {}
    const told = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    return [`${step.at}: ${step.method} ${step.path}`, ...told, step.body ?? ''].filter(Boolean).join('\n     ')
  })
  const again = `HISTORY_SEED=${seed} HISTORY_TOLD='${JSON.stringify(steps).replaceAll("'", "'\\''")}'`
  return `HISTORY_SEED=${seed} draws it whole.\n${lines.join('\n')}\n${cause.stack}\n${again}\n`
}
