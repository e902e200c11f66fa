import { pauseAfter } from '../model/nouns/webhook/schedule.ts'
import type { DeliveryResult } from '../store/port/webhook-store.ts'
import type { ReceiverReply } from './webhook-client.ts'

type Judged = Omit<DeliveryResult, 'webhook' | 'number' | 'duration'>

/** The longest wait that a receiver may ask for, in milliseconds. */
const LONGEST_ASKED = 86_400_000

/** Replaces the reply for a delivery whose event was purged: there is nothing to send. */
export const PURGED: ReceiverReply = { error: 'the event was purged' }

/** Decides a delivery by the receiver's reply. */
export function judge(reply: ReceiverReply, failures: number, pauses: readonly number[]): Judged {
  const at = new Date().toISOString()
  const isAnswered = 'status' in reply
  const said = { at, responseStatus: isAnswered ? reply.status : null, answer: isAnswered ? reply.answer : null }
  const error = errorOf(reply)
  if (error === null) return { ...said, status: 'delivered', nextTryIn: null, error }
  if (isAnswered && reply.status === 410) {
    return { ...said, status: 'cancelled', nextTryIn: null, error, ends: 'the receiver answered 410' }
  }
  if (reply === PURGED) return { ...said, status: 'cancelled', nextTryIn: null, error }
  const wait = pauseAfter(failures, Math.random(), pauses)
  if (wait === undefined) return { ...said, status: 'failed', nextTryIn: null, error }
  return { ...said, status: 'pending', nextTryIn: Math.max(wait, askedPause(reply)), error }
}

/** The wait that an overloaded receiver asks for; the schedule's wait counts if it is longer. */
function askedPause(reply: ReceiverReply): number {
  if (!('status' in reply) || (reply.status !== 429 && reply.status !== 503)) return 0
  return Math.min(reply.retryAfter ?? 0, LONGEST_ASKED)
}

function errorOf(reply: ReceiverReply): string | null {
  if ('error' in reply) return reply.error
  const { status } = reply
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirects are not followed' : `answered ${status}`
}
