import type { Logger } from 'pino'
import type { Monitor } from '../monitoring/monitor.ts'
import type { DeliveryResult } from '../store/port/webhook-store.ts'

const MINUTE = 60_000

/** Counts attempts to deliver, and logs failures: one line for each webhook and minute, with their number. */
export function tellDeliveries(monitor: Monitor, logger: Pick<Logger, 'warn'>): (result: DeliveryResult) => void {
  const told = new Map<string, { at: number; since: number }>()
  return ({ webhook, number, status, responseStatus, error, nextTryIn }) => {
    const isDelivered = status === 'delivered'
    monitor.attempts[isDelivered ? 'delivered' : 'failed']++
    if (isDelivered) return void told.delete(webhook)
    const now = performance.now()
    const last = told.get(webhook)
    if (last !== undefined && now - last.at < MINUTE) return void last.since++
    told.set(webhook, { at: now, since: 0 })
    logger.warn(
      { webhook, delivery: number, status: responseStatus, reason: error, nextTryIn, more: last?.since ?? 0 },
      'a webhook was not delivered',
    )
  }
}
