import type { Call } from '../../http/contract/endpoint.ts'
import { TYPE_BOX } from '../../http/endpoints/webhooks/type-boxes.ts'
import { say } from '../../languages/say.ts'
import { imported } from '../../model/customer/imported.ts'
import type { Resource, Schema } from '../../model/schema.ts'
import { subscribableTypes, webhookMembers } from '../../model/webhook/webhook.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { newFormSeed } from '../forms/command-id.ts'

/** The form for a new webhook, without the types of events. */
export const webhookCreationForm = ({ service, desk }: Pick<Call, 'service' | 'desk'>): DocumentForm => ({
  title: say('Subscribe'),
  action: service.addresses.webhooks,
  method: 'post',
  submit: say('Subscribe'),
  fields: [{ name: 'url', label: say('Address'), schema: webhookMembers(desk.schema).url.kind.schema, required: true }],
  hidden: { _seed: newFormSeed() },
})

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
