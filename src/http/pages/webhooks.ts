import { refusedCreation } from '../../pages/refused-creation.ts'
import { deliveryPage, type ShownDelivery, type ShownWebhook, webhookPage, webhooksPage } from '../../pages/webhooks.ts'
import { fieldOf } from '../../queries/collection.ts'
import { collections } from '../../queries/collections.ts'
import type { Document } from '../../representations/document.ts'
import type { CollectionAddress } from '../collection-endpoint.ts'
import type { Call } from '../endpoint.ts'
import type { Problem } from '../problem.ts'
import { problemTypes } from '../problem-types.ts'
import { presentDelivery, webhookCreationForm } from '../webhook-documents.ts'
import { ask } from './ask.ts'
import { filledIn } from './filled-in.ts'

const { deliveries } = collections

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

export function withDeliveryPage(
  document: Document,
  webhook: { readonly id: string; readonly url: string },
  call: Call,
): Document {
  const [form] = document.forms?.() ?? []
  if (call.representation !== 'html' || form === undefined) return document
  const delivery = JSON.parse(document.json) as ShownDelivery
  return { ...document, page: () => deliveryPage({ delivery, webhook, form, places: call.service.addresses }) }
}

/** The form for a new webhook, as it was sent and refused. */
export function withRefusedWebhook(problem: Problem, call: Call): Problem {
  const { fields } = call
  if (fields === undefined || call.representation !== 'html') return problem
  const form = filledIn(webhookCreationForm(call)[0], fields, problem)
  const { title } = problemTypes[problem.code]
  const above = { href: call.service.addresses.webhooks, text: 'Webhooks' }
  return { ...problem, page: () => refusedCreation({ form, title, detail: problem.detail, above }) }
}
