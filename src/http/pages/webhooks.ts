import { fieldOf } from '../../queries/collection.ts'
import { collections } from '../../queries/collections.ts'
import type { Document } from '../../representations/document.ts'
import { deliveriesPage, deliveryPage, type ShownDelivery } from '../../views/deliveries.ts'
import { refusedCreation } from '../../views/refused-creation.ts'
import { type ShownWebhook, webhookPage, webhooksPage } from '../../views/webhooks.ts'
import type { Call } from '../endpoint.ts'
import type { CollectionAddress } from '../resources/collection-endpoint.ts'
import { presentDelivery, webhookCreationForm } from '../resources/webhook-documents.ts'
import type { Problem } from '../respond/problem.ts'
import { ask } from './ask.ts'
import { filledIn, toldOf } from './filled-in.ts'

const { deliveries, events } = collections

export const showWebhooks: NonNullable<CollectionAddress['page']> = async (list, call) => {
  const webhooks = list.items.map((json) => JSON.parse(json) as ShownWebhook)
  const [creation] = webhookCreationForm(call)
  const now = new Date().toISOString()
  const places = call.service.addresses
  return () => webhooksPage({ webhooks, creation, links: { ...list.links }, now, places })
}

/** A webhook's document with what was last delivered. */
export async function withWebhookPage(document: Document, call: Call): Promise<Document> {
  if (call.representation !== 'html') return document
  const { store, addresses } = call.service
  const webhook = JSON.parse(document.json) as ShownWebhook
  const scope = [{ field: fieldOf(deliveries, 'webhook'), operator: 'eq', values: [webhook.id] }] as const
  const { items } = await ask(store, deliveries, 'sort=-number&maxpagesize=20', scope)
  const shown = items.map((json) => JSON.parse(presentDelivery(json, webhook.id)) as ShownDelivery)
  const now = new Date().toISOString()
  const forms = document.forms?.() ?? []
  return { ...document, page: () => webhookPage({ webhook, deliveries: shown, forms, now, places: addresses }) }
}

type Called = Pick<ShownWebhook, 'id' | 'url'>

export const showDeliveries: NonNullable<CollectionAddress['page']> = async (list, { params, service }) => {
  const webhook = await service.store.webhooks.find(params.id ?? '')
  if (webhook === undefined) return undefined
  const shown = list.items.map((json) => JSON.parse(json) as ShownDelivery)
  const now = new Date().toISOString()
  const links = { ...list.links }
  return () => deliveriesPage({ ...list, webhook, deliveries: shown, links, now, places: service.addresses })
}

/** A delivery with the event that it brings. */
export async function withDeliveryPage(document: Document, webhook: Called, call: Call): Promise<Document> {
  const [form] = document.forms?.() ?? []
  if (call.representation !== 'html' || form === undefined) return document
  const { store, addresses } = call.service
  const delivery = JSON.parse(document.json) as ShownDelivery & { readonly event: string }
  const { items } = await ask(store, events, `sequence=${delivery.event}`)
  const event: unknown = items[0] === undefined ? undefined : JSON.parse(items[0])
  return { ...document, page: () => deliveryPage({ delivery, event, webhook, form, places: addresses }) }
}

/** The form for a new webhook, as it was sent and refused. */
export function withRefusedWebhook(problem: Problem, call: Call): Problem {
  const { fields } = call
  if (fields === undefined || call.representation !== 'html') return problem
  const form = filledIn(webhookCreationForm(call)[0], fields, problem)
  const above = { href: call.service.addresses.webhooks, text: 'Webhooks' }
  return { ...problem, page: () => refusedCreation({ form, ...toldOf(problem, form), above }) }
}
