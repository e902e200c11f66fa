import type { Call } from '../../http/contract/endpoint.ts'
import { TYPE_BOX } from '../../http/endpoints/webhooks/type-boxes.ts'
import { say } from '../../languages/say.ts'
import type { Resource, Schema } from '../../model/declaration/schema.ts'
import { imported } from '../../model/nouns/customer/imported.ts'
import { subscribableTypes, type Webhook, webhookMembers } from '../../model/nouns/webhook/webhook.ts'
import type { DocumentForm, FormField } from '../../representations/document.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { newFormSeed } from '../forms/command-id.ts'
import { plainForm } from '../forms/plain-form.ts'

type FormContext = Pick<Call, 'service' | 'desk'>

/** The form for a new webhook, without the types of events. */
export const webhookCreationForm = ({ service, desk }: FormContext): DocumentForm => ({
  title: say('Subscribe'),
  action: service.addresses.webhooks,
  method: 'post',
  submit: say('Subscribe'),
  fields: webhookFields(desk.schema),
  hidden: { _seed: newFormSeed() },
})

/** The form to change one. Without a selected type, every event is sent. */
export const webhookChangeForm = (webhook: Webhook, { service, desk }: FormContext): DocumentForm => ({
  title: say('Change'),
  action: `${service.addresses.webhook(webhook.id)}/changes`,
  method: 'post',
  submit: say('Save'),
  fields: webhookFields(desk.schema, webhook),
  hidden: { _revision: String(webhook.revision), types: '' },
})

export const pauseForm = ({ id, paused }: Webhook, { service }: FormContext): DocumentForm => ({
  ...plainForm(paused ? say('Resume') : say('Pause'), `${service.addresses.webhook(id)}/changes`),
  hidden: { paused: String(!paused) },
})

function webhookFields(schema: Schema, known?: Webhook): readonly FormField[] {
  const { url, where } = webhookMembers(schema)
  return [
    { name: 'url', label: say('Address'), schema: url.kind.schema, required: true, ...given(known?.url) },
    {
      name: 'where',
      label: say('Only if'),
      schema: where.kind.schema,
      required: false,
      placeholder: say('such as price.gte=10000'),
      note: say('A filter as in the address of a list, for events of one kind of thing.'),
      ...given(known?.where),
    },
    {
      name: 'changed',
      label: say('Only if one of these fields changes'),
      schema: { type: 'string' },
      required: false,
      placeholder: say('such as stage, price'),
      ...given(known?.changed?.join(', ')),
    },
  ]
}

const given = (value: string | null | undefined): Pick<FormField, 'value'> =>
  value === null || value === undefined ? {} : { value }

/** The events to choose from; groups with chosen ones are open. */
export function typeBoxes(schema: Schema, chosen: readonly string[] = []): Markup {
  const each = schema.resources.map((resource) => boxes(resource.plural, typesAbout(resource), chosen))
  return html`<details class="types"${chosen.length > 0 && html` open`}><summary>${say('Choose events')}</summary>
<p class="quiet">${say('If none is selected, every event is sent.')}</p>
<div class="boxes">${each}</div></details>`
}

const typesAbout = ({ schema, name, plural }: Resource): readonly string[] =>
  subscribableTypes(schema).filter(
    (type) => type.startsWith(`${name}.`) || (type === imported(schema).words.event && type.startsWith(`${plural}.`)),
  )

function boxes(plural: string, types: readonly string[], chosen: readonly string[]): Markup {
  const box = (type: string): Markup => {
    const isChosen = chosen.includes(type) && html` checked`
    const text = type.endsWith('.*') ? say('All of them') : html`<code>${type}</code>`
    return html`<label><input type="checkbox" name="${TYPE_BOX}${type}" value="on"${isChosen}> ${text}</label>\n`
  }
  return html`<fieldset><legend>${say(label(plural))}</legend>${types.map(box)}</fieldset>
`
}
