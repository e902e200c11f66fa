import { createHmac } from 'node:crypto'

// Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

const PREFIX = 'whsec_'

/** Writes a secret of 24 to 64 random bytes. */
export const writeSecret = (bytes: Uint8Array): string => PREFIX + Buffer.from(bytes).toString('base64')

/** A message's headers, signed with each secret: a receiver may still use the previous one. */
export function signedHeaders(
  { id, seconds, body }: { readonly id: string; readonly seconds: number; readonly body: string },
  secrets: readonly string[],
): { readonly [name: string]: string } {
  const sign = (secret: string): string =>
    `v1,${createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${seconds}.${body}`)
      .digest('base64')}`
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map(sign).join(' '),
  }
}

/** The same for all attempts of a delivery. Without a full stop, which separates the parts of the signed text. */
export const messageId = (webhook: string, number: number): string => `msg_${webhook.replaceAll('-', '')}_${number}`
