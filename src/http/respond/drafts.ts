import type { Command } from '../../model/perform.ts'
import { type Webhook, webhookToJson } from '../../model/webhook/webhook.ts'
import type { Document } from '../../representations/document.ts'
import type { StoredCustomer, StoredDeal, StoredEvent } from '../../store/port/store.ts'
import type { Addresses } from '../addresses.ts'

// What a dry run shows of things that do not exist: no id, and no link that would lead nowhere. decisions/0009

export function dealDraft(deal: StoredDeal, addresses: Addresses): Document {
  const customer = deal.customerId === null ? {} : { customer: addresses.customer(deal.customerId) }
  return draft('deal', deal.json, ['id'], { collection: addresses.deals, ...customer })
}

export const entryDraft = (event: StoredEvent, deal: string, addresses: Addresses): Document =>
  draft('entry', event.entry, ['commandId'], { deal: addresses.deal(deal) })

/** Nothing was decided, so there is neither a status nor an instant. */
export function commandDraft(
  { deal, action, params, revision }: Command,
  isNew: boolean,
  addresses: Addresses,
): Document {
  const json = JSON.stringify({ deal, action, params, revision })
  return draft('command', json, isNew ? ['deal'] : [], isNew ? {} : { deal: addresses.deal(deal) })
}

export const customerDraft = ({ json }: StoredCustomer, addresses: Addresses): Document =>
  draft('customer', json, ['id'], { collection: addresses.customers })

export const webhookDraft = (webhook: Webhook, addresses: Addresses): Document =>
  draft('webhook', webhookToJson(webhook), ['id'], { collection: addresses.webhooks })

function draft(
  item: string,
  json: string,
  without: readonly string[],
  links: { readonly [relation: string]: string },
): Document {
  const members = Object.entries(JSON.parse(json) as object).filter(([name]) => !without.includes(name))
  return {
    title: 'What would result',
    kind: 'resource',
    item,
    json: JSON.stringify({ ...Object.fromEntries(members), links }),
  }
}
