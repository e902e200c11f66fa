import { messageId } from '../model/webhook/signature.ts'
import type { Store } from '../store/port/store.ts'
import type { ClaimedDelivery, ClaimRequest, DeliveryResult } from '../store/port/webhook-store.ts'
import { type DeliveryPace, deliveryPace } from './delivery-pace.ts'
import { judge, unsent } from './judge-reply.ts'
import { messageHeaders } from './message-headers.ts'
import { openWebhookClient } from './webhook-client.ts'

export interface DeliveryOptions {
  readonly allowPrivate: boolean
  readonly userAgent: string
  /** Called with errors of the store; deliveries continue. */
  readonly onFault: (cause: unknown) => void
  /** Called with what became of each attempt. */
  readonly onResult?: (result: DeliveryResult) => void
  /** Begins to trace an attempt, which the receiver may go on with. */
  readonly beginSpan?: (() => AttemptSpan) | undefined
  readonly pace?: DeliveryPace
}

interface AttemptSpan {
  readonly traceparent: string
  end(name: string, attributes: { readonly [name: string]: string | number }, isError: boolean): void
}

/** Attempts at once: in all, to one receiver, and to all failing receivers together, each of which gets one. */
const MOST = 64
const MOST_TO_ONE = 8
const MOST_TO_FAILING = 16
/** Deliveries claimed in advance, so that attempts do not wait for the store. */
const MOST_TAKEN = 256
const MOST_TAKEN_FOR_ONE = 32
/** How many times a lease is renewed within its length. */
const RENEWALS = 6

export interface Deliveries {
  /** Waits briefly for attempts in progress and releases the rest to other instances. */
  close(): Promise<void>
}

/**
 * Calls the receivers of webhooks. The store says what is due and leases it to this instance, so that several
 * instances share the work. A failing receiver gets one attempt at a time, so that it delays nobody else.
 */
export function startDeliveries(store: Store, options: DeliveryOptions): Deliveries {
  const { pace = deliveryPace, userAgent } = options
  const client = openWebhookClient({ ...options, timeout: pace.timeout })
  /** Claimed deliveries that wait, by receiver, and the number of attempts in progress. */
  const waiting = new Map<string, QueuedDelivery[]>()
  const underWay = new Map<string, number>()
  const failing = new Set<string>()
  /** Claimed deliveries whose attempt has not ended; their leases are renewed. */
  const held = new Set<ClaimedDelivery>()
  let results: DeliveryResult[] = []
  let total = 0
  let isClosed = false
  /** Set when nothing is written any more: an attempt that ends now is repeated by the next claimant. */
  let isOver = false
  let isRunning = false
  let isWanted = false
  let behind = ''
  /** By a monotonic clock. */
  let lastTrim = performance.now()
  let lastRenewal = Number.NEGATIVE_INFINITY

  const run = async (): Promise<void> => {
    if (isOver) return
    if (isRunning) {
      isWanted = true
      return
    }
    isRunning = true
    try {
      do {
        isWanted = false
        await round()
      } while (isWanted)
    } catch (cause) {
      options.onFault(cause)
    } finally {
      isRunning = false
    }
  }

  const round = async (): Promise<void> => {
    if (!isClosed) await renewNow()
    const settling = results
    results = []
    try {
      if (!isClosed && taken() < MOST_TAKEN) await takeMore(settling)
      else if (settling.length > 0) await store.webhooks.settle(settling)
    } catch (cause) {
      // Keep the results and settle them later. Until the lease ends nobody repeats them.
      results.push(...settling)
      throw cause
    }
    if (!isClosed) await trimNow()
  }

  const renewNow = async (): Promise<void> => {
    const now = performance.now()
    if (now - lastRenewal < pace.lease / RENEWALS) return
    await store.webhooks.renew([...held.values()], pace.lease)
    lastRenewal = now
  }

  /** Settles and claims in one step, so that a deal's next delivery follows without another query. */
  const takeMore = async (settling: readonly DeliveryResult[]): Promise<void> => {
    const now = performance.now()
    const order = {
      lease: pace.lease,
      most: MOST_TAKEN - taken(),
      ofEach: MOST_TAKEN_FOR_ONE,
      of: rooms(),
      together: roomForFailing(),
      behind,
    }
    const { deliveries, more } = await store.webhooks.claim(order, settling)
    for (const delivery of deliveries) {
      held.add(delivery)
      const queue = waiting.get(delivery.webhook) ?? []
      queue.push({ delivery, takenAt: now })
      waiting.set(delivery.webhook, queue)
    }
    behind = deliveries.at(-1)?.webhook ?? ''
    if (more) isWanted = true
    startTries()
  }

  const takenFor = (webhook: string): number => (waiting.get(webhook)?.length ?? 0) + (underWay.get(webhook) ?? 0)
  const taken = (): number => [...waiting.values()].reduce((sum, { length }) => sum + length, total)

  /** The room left for receivers that are busy or failing. */
  const rooms = (): { readonly [webhook: string]: number } => {
    const of: Record<string, number> = {}
    for (const webhook of [...waiting.keys(), ...underWay.keys()]) of[webhook] = MOST_TAKEN_FOR_ONE - takenFor(webhook)
    for (const webhook of failing) of[webhook] = takenFor(webhook) > 0 ? 0 : 1
    return of
  }

  /** Most of them have nothing due: only those that have take up room. */
  const roomForFailing = (): NonNullable<ClaimRequest['together']> => {
    const webhooks = [...failing]
    const busy = webhooks.reduce((sum, webhook) => sum + (underWay.get(webhook) ?? 0), 0)
    return { webhooks, most: MOST_TO_FAILING - busy }
  }

  /** Starts each receiver's next attempt, round robin, while there is room. */
  const startTries = (): void => {
    let isStarted = true
    while (isStarted && total < MOST && !isClosed) {
      isStarted = false
      for (const [webhook, queue] of waiting) {
        if (total >= MOST || (underWay.get(webhook) ?? 0) >= (failing.has(webhook) ? 1 : MOST_TO_ONE)) continue
        const next = queue.shift()
        if (queue.length === 0) waiting.delete(webhook)
        if (next === undefined) continue
        // An attempt that could outlast its lease is left to the next claimant.
        if (Math.max(next.takenAt, lastRenewal) + pace.lease - performance.now() < pace.timeout) {
          held.delete(next.delivery)
          continue
        }
        isStarted = true
        void deliver(next.delivery)
      }
    }
  }

  const deliver = async (delivery: ClaimedDelivery): Promise<void> => {
    const { webhook } = delivery
    total++
    underWay.set(webhook, (underWay.get(webhook) ?? 0) + 1)
    const result = await attempt(delivery)
    held.delete(delivery)
    total--
    const others = (underWay.get(webhook) ?? 1) - 1
    if (others === 0) underWay.delete(webhook)
    else underWay.set(webhook, others)
    if (result.status === 'delivered') failing.delete(webhook)
    else failing.add(webhook)
    results.push(result)
    options.onResult?.(result)
    startTries()
    setImmediate(() => void run())
  }

  const attempt = async ({
    webhook,
    number,
    url,
    secrets,
    event,
    failures,
  }: ClaimedDelivery): Promise<DeliveryResult> => {
    const started = performance.now()
    const about = { webhook, number }
    if (event === null) return { ...about, ...unsent('the event was purged', new Date().toISOString()) }
    const span = options.beginSpan?.()
    const headers = {
      ...(span && { traceparent: span.traceparent }),
      ...messageHeaders(messageId(webhook, number), event, secrets, userAgent),
    }
    const reply = await client.post(url, headers, event)
    const duration = Math.round(performance.now() - started)
    const status = 'status' in reply ? { 'http.response.status_code': reply.status } : {}
    span?.end('deliver', { 'dealdesk.webhook': webhook, 'dealdesk.delivery': number, ...status }, !('status' in reply))
    return { ...about, duration, ...judge(reply, failures + 1, pace.pauses) }
  }

  const trimNow = async (): Promise<void> => {
    const now = performance.now()
    if (now - lastTrim < pace.trimEvery) return
    const more = await store.webhooks.trim(new Date(Date.now() - pace.keep).toISOString())
    if (!more) lastTrim = now
  }

  const unsubscribe = store.onEvents(() => void run())
  const polling = setInterval(() => void run(), pace.poll)
  polling.unref()
  void run()

  return {
    async close() {
      isClosed = true
      unsubscribe()
      clearInterval(polling)
      for (let waited = 0; total > 0 && waited < LONGEST_CLOSE; waited += 20) await pause(20)
      client.close()
      while (isRunning) await pause(5)
      await run()
      isOver = true
      // Release the rest, so that other instances need not wait for the leases to end.
      await store.webhooks.release().catch(options.onFault)
    },
  }
}

interface QueuedDelivery {
  readonly delivery: ClaimedDelivery
  readonly takenAt: number
}

const LONGEST_CLOSE = 3000
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
