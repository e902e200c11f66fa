import type { Readable } from 'node:stream'
import type { StreamReader } from '../../events/feed.ts'
import type { Answer } from '../contract/answer.ts'
import type { Call } from '../contract/endpoint.ts'
import { type Problem, tooManyRequests, unavailable } from '../contract/problems/problem.ts'
import { admitAgain } from '../gate/admit-again.ts'

/** Why the caller gets no further live stream; undefined if they get one. decisions/0020 */
export function noStream({ service, actor }: Pick<Call, 'service' | 'actor'>): Problem | undefined {
  switch (service.feed.usedUp(actor)) {
    case 'all':
      return unavailable('capacity', 'Too many clients follow the events already', LATER)
    case 'share':
      return tooManyRequests('You follow with as many live streams as one user may have', LATER)
    case undefined:
      return undefined
  }
}

/** Seconds until a stream may have ended. */
const LATER = 10

/** The answer that opens a stream: refused there, too, since others may have been opened after the question. */
export const openStream = (call: Call, open: (reader: StreamReader) => Readable): Answer => ({
  live() {
    const problem = noStream(call)
    if (problem !== undefined) return { problem }
    const mayRead = async (): Promise<boolean> => !('problem' in (await admitAgain(call, 'reader')))
    return { stream: open({ name: call.actor, mayRead }) }
  },
})
