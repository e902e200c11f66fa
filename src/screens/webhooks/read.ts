import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import { withChosenTypes } from '../../http/endpoints/webhooks/type-boxes.ts'
import { say } from '../../languages/say.ts'
import { collectionsOf } from '../../queries/collections.ts'
import { equals } from '../../queries/term.ts'
import { refusedCreation } from '../creation/view.ts'
import type { ShownTry } from '../deliveries/try-panel.ts'
import type { ShownDelivery } from '../deliveries/view.ts'
import { foldedForm, framedForm } from '../forms/framed-form.ts'
import { plainForm } from '../forms/plain-form.ts'
import type { FormRefusal } from '../forms/refused-form.ts'
import { ask } from '../parts/ask.ts'
import type { Screen } from '../parts/screen.ts'
import { type ShownWebhook, webhookPage, webhooksPage } from './view.ts'
import { pauseForm, typeBoxes, webhookChangeForm, webhookCreationForm } from './webhook-forms.ts'

export async function showWebhooks(list: ShownList, call: Call): Promise<Screen> {
  const webhooks = Array.from(list.items, (json) => JSON.parse(json) as ShownWebhook)
  const { store, addresses } = call.service
  const health = await store.webhooks.health(webhooks.map(({ id }) => id))
  const creation = foldedForm(webhookCreationForm(call), say('New webhook'), typeBoxes(call.desk.schema))
  const now = new Date().toISOString()
  return () => webhooksPage({ ...list, creation, webhooks, health, now, addresses })
}

/** A webhook with its latest deliveries, and a test event that was just sent. */
export async function showWebhook(webhook: ShownWebhook, call: Call, test?: ShownTry): Promise<Screen> {
  const { addresses } = call.service
  const { deliveries } = collectionsOf(call.desk.schema)
  const scope = [equals(deliveries, 'webhook', webhook.id)]
  const { items } = await ask(call.desk, deliveries, 'sort=-number&maxpagesize=20', scope)
  const latest = items.map((json) => JSON.parse(json) as ShownDelivery)
  const health = (await call.service.store.webhooks.health([webhook.id])).get(webhook.id)
  const now = new Date().toISOString()
  const self = addresses.webhook(webhook.id)
  const hasEnded = webhook.status === 'ended'
  const forms = [
    plainForm(say('Send a test event'), `${self}/tests`),
    ...(hasEnded ? [] : [pauseForm(webhook, call)]),
    plainForm(say('New secret'), `${self}/rotations`),
    plainForm(say('Remove'), `${self}/removals`),
  ]
  const change = hasEnded
    ? undefined
    : framedForm(webhookChangeForm(webhook, call), 'change-form', {
        plain: true,
        more: typeBoxes(call.desk.schema, webhook.types ?? []),
      })
  return () => webhookPage({ webhook, health, test, deliveries: latest, forms, change, now, addresses })
}

/** The refused form for a new webhook, or for a change of one. */
export async function showRefusedWebhook(refusal: FormRefusal, call: Call): Promise<Screen | undefined> {
  const { fields: sent, params, service, desk } = call
  if (sent === undefined) return undefined
  const known = params.id === undefined ? undefined : await service.store.webhooks.find(params.id)
  const fields = withChosenTypes(sent)
  const above = { href: service.addresses.webhooks, text: 'Webhooks' }
  const chosen = (fields.get('types') ?? '').split(',').flatMap((type) => type.trim() || [])
  const form = known === undefined ? webhookCreationForm(call) : webhookChangeForm(known, call)
  return refusedCreation(refusal, form, fields, above, () => typeBoxes(desk.schema, chosen))
}
