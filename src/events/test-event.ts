import { randomUUID } from 'node:crypto'
import { messageHeaders } from './message-headers.ts'
import { openWebhookClient, type ReceiverReply } from './webhook-client.ts'

/** Milliseconds that a receiver has for its answer, as for a delivery. */
export const LONGEST_ANSWER = 15_000

export interface TestTarget {
  readonly url: string
  readonly secrets: readonly string[]
  readonly allowPrivate: boolean
}

/** A test event as sent, and the receiver's answer. */
export interface TestedReceiver {
  readonly headers: { readonly [name: string]: string }
  readonly body: string
  readonly reply: ReceiverReply
  readonly duration: number
}

/** Sends a test event to a receiver, once. `onSend` is called before. */
export async function sendTestEvent(
  { url, secrets, allowPrivate }: TestTarget,
  subject: string,
  userAgent: string,
  onSend: (sent: Pick<TestedReceiver, 'headers' | 'body'>) => void = () => {},
): Promise<TestedReceiver> {
  const body = testEvent(subject, new Date().toISOString())
  const headers = messageHeaders(`msg_${randomUUID().replaceAll('-', '')}`, body, secrets, userAgent)
  onSend({ headers, body })
  const client = openWebhookClient({ allowPrivate, timeout: LONGEST_ANSWER })
  const started = performance.now()
  const reply = await client.post(url, headers, body)
  client.close()
  return { headers, body, reply, duration: Math.round(performance.now() - started) }
}

/** CloudEvents 1.0. No event of the feed has this type, so receivers that know their types ignore it. */
const testEvent = (subject: string, time: string): string =>
  JSON.stringify({
    specversion: '1.0',
    id: randomUUID(),
    source: '/webhooks',
    type: 'webhook.test',
    subject,
    time,
    datacontenttype: 'application/json',
    data: { message: 'A test of a webhook; nothing happened.' },
  })
