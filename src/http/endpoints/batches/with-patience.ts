import type { Service } from '../../contract/endpoint.ts'
import { type Problem, unavailable } from '../../contract/problems/problem.ts'

/** Milliseconds without a byte, while the next one is awaited. */
const PATIENCE = 15_000
const STEP = 500

/** A stream of commands ends before its client ended it. */
export class StreamEnded extends Error {
  override readonly name = 'StreamEnded'
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.code)
    this.problem = problem
  }
}

/** The bytes of a body as they arrive, while some do and the service does not stop. */
export async function* withPatience(
  incoming: AsyncIterable<Buffer>,
  state: Pick<Service['state'], 'stopping'>,
): AsyncGenerator<Buffer> {
  const iterator = incoming[Symbol.asyncIterator]()
  for (;;) {
    const next = await inTime(iterator.next(), state)
    if (next.done === true) return
    yield next.value
  }
}

function inTime<T>(awaited: Promise<T>, state: Pick<Service['state'], 'stopping'>): Promise<T> {
  return new Promise((resolve, reject) => {
    let waited = 0
    const look = (): void => {
      if (state.stopping) reject(new StreamEnded(unavailable('service', 'the service is stopping', 1)))
      else if (waited >= PATIENCE) reject(new StreamEnded(idle))
      waited += STEP
    }
    const looking = setInterval(look, STEP)
    look()
    awaited.then(resolve, reject).finally(() => clearInterval(looking))
  })
}

const idle: Problem = { code: 'malformed-request', detail: `Nothing was sent for ${PATIENCE / 1000} seconds.` }
