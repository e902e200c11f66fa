import { randomFrom } from '../../src/demo/random.ts'
import { drawStep, isRepeatable } from './draw/step.ts'
import { shrunk } from './shrink.ts'
import type { Asking, Step } from './step.ts'
import { Story } from './story.ts'

/** What a run of histories is made of. */
export interface Extent {
  /** Histories that the same two services are told, one after the other. */
  readonly histories: number
  /** Steps of each. */
  readonly steps: number
}

/** A history that fails: what it showed, and the steps that show it. */
export interface Failure {
  readonly seed: number
  /** The history among those of its seed. */
  readonly nth: number
  readonly cause: Error
  readonly steps: readonly Step[]
}

/** Draws histories and tells them to new services; gives the first step that fails, with all before it. */
export async function tellDrawn(seed: number, { histories, steps }: Extent): Promise<Failure | undefined> {
  const story = await Story.open(isFollowed(seed))
  const told: Step[] = []
  const repeatable: Asking[] = []
  let nth = 0
  try {
    for (; nth < histories; nth++) {
      const random = randomFrom(seed * 1000 + nth)
      for (let each = 0; each < steps; each++) {
        const { schema, known } = story
        const isLast = nth === histories - 1 && each === steps - 1
        const step: Step = isLast
          ? { at: told.length, does: 'examine' }
          : drawStep({ random, at: told.length, schema, known, repeatable })
        told.push(step)
        if (isRepeatable(step)) repeatable.push(step as Asking)
        await story.perform(step)
      }
    }
    return undefined
  } catch (cause) {
    return { seed, nth, cause: cause as Error, steps: told }
  } finally {
    await story.close()
  }
}

const isFollowed = (seed: number): boolean => seed % 4 === 0

/** Tells steps to new services; gives what fails. */
export async function replay(steps: readonly Step[], followed: boolean): Promise<Failure | undefined> {
  const story = await Story.open(followed)
  const told: Step[] = []
  try {
    for (const step of steps) {
      told.push(step)
      await story.perform(step)
    }
    return undefined
  } catch (cause) {
    return { seed: 0, nth: 0, cause: cause as Error, steps: told }
  } finally {
    await story.close()
  }
}

/** The same failure by few steps. */
export async function shortest(failure: Failure, tries: number): Promise<Failure> {
  let best = failure
  const fails = async (steps: readonly Step[]): Promise<readonly Step[] | undefined> => {
    const again = await replay(steps, isFollowed(failure.seed))
    if (again === undefined || kindOf(again.cause) !== kindOf(failure.cause)) return undefined
    best = { ...failure, cause: again.cause, steps: again.steps }
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

/** How a person reads it, and pastes it: a line for each step, and the steps themselves. */
export function written({ seed, nth, cause, steps }: Failure): string {
  const lines = steps.map((step) => {
    if (step.does === 'import') return `${step.at}: import ${JSON.stringify(step)}`
    if (step.does !== 'ask') return `${step.at}: ${step.does}`
    const { 'content-type': _type, ...headers } = step.headers ?? {}
    const told = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    return [`${step.at}: ${step.method} ${step.path}`, ...told, step.body ?? ''].filter(Boolean).join('\n     ')
  })
  const replayed = `HISTORY_STEPS='${JSON.stringify(steps).replaceAll("'", "'\\''")}'`
  return `seed ${seed}, history ${nth}\n${lines.join('\n')}\n${cause.stack}\n${replayed}\n`
}
