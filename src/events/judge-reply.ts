import type { DeliveryResult } from '../store/webhook-store.ts'
import { pauseAfter } from '../webhooks/schedule.ts'
import type { Reply } from './webhook-client.ts'

type Judged = Omit<DeliveryResult, 'webhook' | 'number' | 'owner' | 'duration'>

/** What a receiver's reply makes of its delivery. */
export function judge(reply: Reply, failures: number, pauses: readonly number[]): Judged {
  const now = Date.now()
  const at = new Date(now).toISOString()
  const isAnswered = 'status' in reply
  const said = { at, responseStatus: isAnswered ? reply.status : null, answer: isAnswered ? reply.answer : null }
  const error = errorOf(reply)
  if (error === null) return { ...said, status: 'delivered', nextTryAt: null, error }
  if (isAnswered && reply.status === 410) {
    return { ...said, status: 'cancelled', nextTryAt: null, error, ends: 'the receiver answered 410' }
  }
  const wait = pauseAfter(failures, Math.random(), pauses)
  if (wait === undefined) return { ...said, status: 'failed', nextTryAt: null, error }
  return { ...said, status: 'pending', nextTryAt: new Date(now + wait).toISOString(), error }
}

function errorOf(reply: Reply): string | null {
  if ('error' in reply) return reply.error
  const { status } = reply
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirects are not followed' : `answered ${status}`
}

/** One that there is nothing to send of. */
export const unsent = (error: string, at: string): Judged & Pick<DeliveryResult, 'duration'> => ({
  at,
  status: 'cancelled',
  nextTryAt: null,
  responseStatus: null,
  duration: 0,
  answer: null,
  error,
})
