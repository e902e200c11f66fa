import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import { withChosenTypes } from '../../http/endpoints/webhooks/type-boxes.ts'
import { say } from '../../languages/say.ts'
import { collectionsOf } from '../../queries/collections.ts'
import { equals } from '../../queries/term.ts'
import { type Hole, html } from '../../representations/markup/markup.ts'
import { refusedCreation } from '../creation/view.ts'
import { stateMark, stateText } from '../deliveries/receiver-state.ts'
import type { ShownTry } from '../deliveries/try-panel.ts'
import type { ShownDelivery } from '../deliveries/view.ts'
import { framedForm } from '../forms/framed-form.ts'
import { plainForm } from '../forms/plain-form.ts'
import type { FormRefusal } from '../forms/refused-form.ts'
import { ask } from '../parts/ask.ts'
import { agoMarkup } from '../parts/moment.ts'
import { crumb } from '../parts/page-head.ts'
import type { Screen } from '../parts/screen.ts'
import { tableList } from '../table-list/view.ts'
import { type ShownWebhook, typesText, webhookPage } from './view.ts'
import { pauseForm, typeBoxes, webhookChangeForm, webhookCreationForm } from './webhook-forms.ts'

export async function showWebhooks(list: ShownList, call: Call): Promise<Screen> {
  const webhooks = Array.from(list.items, (json) => JSON.parse(json) as ShownWebhook)
  const { store, addresses } = call.service
  const health = await store.webhooks.health(webhooks.map(({ id }) => id))
  const time = Date.now()
  const state = (webhook: ShownWebhook): Hole => {
    const itsHealth = health.get(webhook.id)
    return [stateMark(webhook, itsHealth), ' ', html`<span class="quiet">${stateText(webhook, itsHealth, time)}</span>`]
  }
  const page = tableList({
    title: say('Webhooks'),
    about: say('Every event is sent to these addresses, signed, and retried until they answer.'),
    creation: { form: webhookCreationForm(call), text: say('New webhook'), more: typeBoxes(call.desk.schema) },
    list,
    address: addresses.webhooks,
    caption: say('{count} webhooks shown', { count: webhooks.length }),
    columns: [
      { head: say('Address'), cell: ({ id, url }) => crumb(addresses.webhook(id), url) },
      { head: say('Status'), cell: state },
      { head: say('Events'), kind: 'wide', cell: typesText },
      { head: say('Created'), kind: 'wide', cell: ({ createdAt }) => agoMarkup(createdAt, time) },
    ],
    rows: webhooks,
    none: say('No webhooks yet. Add a URL to receive events.'),
  })
  return () => page
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
