import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, DealdeskProblem } from '../../client.ts'
import type { Settings } from '../../config.ts'
import { messageHeaders } from '../../events/message-headers.ts'
import { LONGEST_ANSWER } from '../../events/test-event.ts'
import { openWebhookClient, type ReceiverReply } from '../../events/webhook-client.ts'
import { writeSecret } from '../../model/nouns/webhook/signature.ts'
import { reachedAt } from '../../values/shown-address.ts'
import { exitCodes, Failure, unreached } from '../failure.ts'

export interface FollowOptions {
  readonly service?: string
  readonly types?: readonly string[]
  readonly after?: string
  readonly secret?: string
  readonly release: string
}

const BETWEEN_TRIES = 2000

/** Forwards each event until it is interrupted; returns the exit code. */
export async function listen(settings: Settings, url: string, options: FollowOptions): Promise<number> {
  const address = (options.service ?? `http://${reachedAt(settings)}`).replace(/\/$/, '')
  const key = process.env.DEALDESK_KEY
  const { events, pastEvents } = connect(address, key === undefined ? {} : { auth: { key } })
  const secret = options.secret ?? writeSecret(randomBytes(32))
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
  const { signal } = interrupted
  const receiver = openWebhookClient({ allowPrivate: true, timeout: LONGEST_ANSWER })
  const type = options.types
  const onLost = (cause: unknown): void => {
    process.stderr.write(`${address} cannot be followed now (${unreached(cause)}); trying again\n`)
  }
  let after = options.after
  let isConnected = false
  while (!signal.aborted) {
    try {
      after ??= (await pastEvents({ sort: '-sequence', maxpagesize: 1 }, { signal }).page()).items[0]?.sequence ?? ''
      process.stderr.write(`${isConnected ? 'following again' : `following ${address}, to ${url}`}\n`)
      if (!isConnected && options.secret === undefined) process.stderr.write(`signed with ${secret}\n`)
      isConnected = true
      for await (const event of events({ after, signal, onLost, ...(type && { type: type as never }) })) {
        const body = JSON.stringify(event)
        const headers = messageHeaders(
          `msg_${randomUUID().replaceAll('-', '')}`,
          body,
          [secret],
          `Dealdesk/${options.release}`,
        )
        const started = performance.now()
        const reply = await receiver.post(url, headers, body)
        const took = Math.round(performance.now() - started)
        process.stdout.write(`${event.sequence} ${event.type} ${event.subject}: ${shownReply(reply)}, ${took} ms\n`)
        after = event.sequence
      }
    } catch (cause) {
      if (signal.aborted) break
      // The service would refuse it again.
      if (cause instanceof DealdeskProblem && cause.status < 500 && cause.status !== 429) {
        throw new Failure(`${address} answered ${cause.status}: ${cause.message}`, { cause })
      }
      onLost(cause)
      await pause(BETWEEN_TRIES, undefined, { signal }).catch(() => {})
    }
  }
  receiver.close()
  return exitCodes.fine
}

export const shownReply = (reply: ReceiverReply): string =>
  'error' in reply ? reply.error : `answered ${reply.status}`
