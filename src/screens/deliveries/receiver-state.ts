import { agoText, instantText, untilText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Webhook } from '../../model/nouns/webhook/webhook.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import type { ReceiverHealth } from '../../store/port/webhook-store.ts'
import { mark } from '../parts/marks.ts'

/** A receiver's state, in a word. */
export function stateMark(
  { status, paused }: Pick<Webhook, 'status' | 'paused'>,
  health: ReceiverHealth | undefined,
): Markup {
  if (status === 'ended') return mark('away', say('Ended|webhook'))
  if (paused) return mark('held', say('Paused'))
  if (health?.failingSince) return mark('off', say('Failing'))
  return health?.deliveredAt ? mark('done', say('Delivering')) : mark('open', say('Nothing sent yet'))
}

/** The same in a sentence: since when, why, and what happens next. */
export function stateText(
  webhook: Pick<Webhook, 'status' | 'endedBecause' | 'paused'>,
  health: ReceiverHealth | undefined,
  now: number,
): Markup | undefined {
  if (webhook.status === 'ended')
    return html`${say('No event is sent any more: {why}.', { why: errorText(webhook.endedBecause ?? '') })}`
  if (webhook.paused) return html`${say('What happens meanwhile is sent when it goes on.')}`
  if (!health?.failingSince) {
    return health?.deliveredAt
      ? html`${say('Last delivered {ago}.', { ago: agoText(health.deliveredAt, now) })}`
      : undefined
  }
  const { failingSince, lastError, nextTryAt } = health
  return html`${say('Since {since}: {why}.', { since: instantText(failingSince), why: errorText(lastError ?? '') })} ${
    nextTryAt !== null && say('Next try {when}.', { when: untilText(nextTryAt, now) })
  }`
}

/** Why an attempt failed, in the reader's language. */
export function errorText(error: string): Text {
  const status = /^(?:the receiver )?answered (\d+)$/.exec(error)?.[1]
  if (status !== undefined) return say('the receiver answered {status}', { status })
  switch (error) {
    case 'connection refused':
      return say('connection refused')
    case 'connection reset':
      return say('connection reset')
    case 'no answer in time':
      return say('no answer in time')
    case 'the name is not known':
      return say('the name is not known')
    case 'the name cannot be resolved now':
      return say('the name cannot be resolved now')
    case 'the name has no address':
      return say('the name has no address')
    case 'the address is not public':
      return say('the address is not public')
    case 'redirects are not followed':
      return say('redirects are not followed')
    case 'the event was purged':
      return say('the event was purged')
    default:
      return say('no connection')
  }
}
