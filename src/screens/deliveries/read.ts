import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import { say } from '../../languages/say.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Webhook } from '../../model/nouns/webhook/webhook.ts'
import { collectionsOf } from '../../queries/collections.ts'
import type { Document } from '../../representations/document.ts'
import type { Desk } from '../../store/port/desk.ts'
import { plainForm } from '../forms/plain-form.ts'
import { ask } from '../parts/ask.ts'
import { nameOf } from '../parts/names.ts'
import type { Screen } from '../parts/screen.ts'
import { readThing } from '../parts/shown.ts'
import type { ShownTry } from './try-panel.ts'
import { deliveriesPage, deliveryPage, operationOf, type ShownDelivery } from './view.ts'

export async function showDeliveries(list: ShownList, { params, service }: Call): Promise<Screen | undefined> {
  const webhook = await service.store.webhooks.find(params.id ?? '')
  if (webhook === undefined) return undefined
  const deliveries = Array.from(list.items, (json) => JSON.parse(json) as ShownDelivery)
  const now = new Date().toISOString()
  return () => deliveriesPage({ list, webhook, deliveries, now, addresses: service.addresses })
}

/** A delivery with its event and its attempts, the last one first. */
export async function showDelivery({ json }: Document, webhook: Webhook, call: Call): Promise<Screen> {
  const { addresses } = call.service
  const delivery = JSON.parse(json) as ShownDelivery & { readonly event: string }
  const { items } = await ask(call.desk, collectionsOf(call.desk.schema).events, `sequence=${delivery.event}`)
  const earlier = JSON.parse(
    await call.service.store.webhooks.tries(webhook.id, delivery.number),
  ) as readonly ShownTry[]
  const tries = [
    ...(delivery.attempts === 0 ? [] : [{ ...delivery, at: delivery.lastTryAt, answer: delivery.answer ?? null }]),
    ...earlier.toReversed(),
  ]
  const [event] = items
  const name = await subjectName(delivery, call.desk)
  const { schema } = call.desk
  const again = `${addresses.delivery(webhook.id, delivery.number)}/redeliveries`
  const form = plainForm(say('Deliver again'), again)
  return () =>
    deliveryPage({ schema, delivery, name, tries, event, webhook, form, now: new Date().toISOString(), addresses })
}

/** The name of the event's thing; undefined for a removed one, and for an import. */
async function subjectName({ type, subject }: ShownDelivery, desk: Desk): Promise<string | undefined> {
  const on = operationOf(type, desk.schema)?.on
  const id = on?.kinds.id?.readText(subject)
  if (on === undefined || id === undefined || !('value' in id)) return undefined
  const stored = await desk.find(on, id.value as Key)
  return stored && nameOf(on, readThing(stored.json))
}
