import { say } from '../../languages/say.ts'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import { label } from '../../representations/html/label.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'
import { fieldText } from '../list/columns.ts'
import { dateMarkup, instantMarkup } from '../parts/moment.ts'
import { money } from '../parts/money.ts'
import { hasPage } from '../parts/names.ts'
import { type Detail, details, quiet } from '../parts/panel.ts'
import { isDealOwner, personLink } from '../parts/person.ts'
import type { Amount, FieldsOfThing, SeenThing } from '../parts/shown.ts'
import { contactMarkup, isOnlyChoice, plainText, valueText } from '../parts/value-text.ts'
import {
  fieldChangedBy,
  inPlace,
  isLeftOut,
  isOffered,
  type Offered,
  type OperationOffer,
  setsAdded,
} from './offers.ts'
import type { ThingContext, ThingScreen } from './thing-screen.ts'

/** The fields of a thing, each with the form that changes it if that is possible now. */
export function thingFacts(
  thing: SeenThing,
  screen: ThingScreen,
  offers: readonly OperationOffer[],
  about: ThingContext,
): Markup {
  const forms = formsIn(offers.filter(isOffered), screen)
  const fact = (field: string): Detail => {
    const text = screen.texts?.[field] ?? fieldText(about.resource, field)
    const shown = screen.facts?.[field]?.(thing, about) ?? valueMarkup(field, thing, about)
    const form = forms.get(field)
    return [text, shown === false || form === undefined ? shown : html`${shown} ${form()}`]
  }
  const fields = fieldsOf(about.resource, screen).filter((field) => !isLeftOut(about.resource, field, thing))
  const byHeading = Map.groupBy(fields, (field) => about.resource.kinds[field]?.titled?.group ?? '')
  const plain = byHeading.get('') ?? []
  byHeading.delete('')
  const headed = [...byHeading].map(([heading, those]) => {
    const rows = details(those.map(fact))
    return html`<h3 translate="no">${heading}</h3>\n${rows}`
  })
  return html`${details(plain.map(fact))}${headed}`
}

/** The form that changes a field: that of an operation that only sets it, or a part of one that sets several. */
function formsIn(offers: readonly Offered[], { inPlace: isInPlace }: ThingScreen): ReadonlyMap<string, () => Markup> {
  return new Map(
    offers.flatMap((offer) => {
      const { operation, form } = offer
      if (setsAdded(operation) || (operation.differences && isInPlace))
        return form.fields.map(({ name }) => [name, () => inPlace(offer, name)] as const)
      const field = fieldChangedBy(operation)
      return field === undefined ? [] : [[field, () => inPlace(offer)] as const]
    }),
  )
}

function fieldsOf(resource: Resource, { fields, elsewhere = [] }: ThingScreen): readonly string[] {
  const others = fields === undefined ? shownFields(resource) : givenFields(resource)
  const number = resource.kinds.id?.name === 'integer' ? ['id'] : []
  const all = new Set([...(fields ?? []), ...others, ...number, 'createdAt', 'updatedAt'])
  return [...all].filter((field) => !elsewhere.includes(field))
}

export const shownFields = bySchema(({ names, kinds, moneyIn }: Resource): readonly string[] =>
  names.filter((name) => !kept.has(name) && name !== moneyIn && !(kinds[name] && isOnlyChoice(kinds[name]))),
)

const givenFields = bySchema((resource: Resource): readonly string[] =>
  shownFields(resource).filter((name) => resource.fields[name]?.by === 'client'),
)

/** Fields that every thing has. */
const kept = new Set(['id', 'createdAt', 'updatedAt', 'deletedAt', 'revision'])

export type ValueContext = Pick<ThingContext, 'resource' | 'referred' | 'addresses'>

/** The value of a field in the format of its kind. */
export function valueMarkup(field: string, thing: FieldsOfThing, about: ValueContext): Hole {
  const { resource, referred, addresses } = about
  const { moneyIn } = resource
  const kind = resource.kinds[field]
  const value = thing[field] ?? null
  const text = plainText(value ?? '')
  if (text === '' || kind === undefined) return quiet(say('not set'))
  if (kind.refersTo !== undefined) {
    const { text: name, details: beside = [] } = referred.get(field) ?? {}
    const to = resourceNamed(resource.schema, kind.refersTo)
    const shown = name ?? [say(label(to.name)), ` ${text}`]
    if (!hasPage(to, name, kind.isLink)) return html`${shown}`
    const link = html`<a href="${addresses.thing(to, value as Key)}">${shown}</a>`
    const contacts = beside.map(([of, text], at) => [at > 0 && ' · ', contactMarkup(to.kinds[of], text)])
    return contacts.length > 0 ? html`${link}<br><span class="quiet">${contacts}</span>` : link
  }
  if (kind.namesUser) return personLink(text, addresses, isDealOwner(resource, field, thing))
  if (kind.name === 'amount' && kind.decimals === undefined && moneyIn !== undefined)
    return money(value as Amount, String(thing[moneyIn]))
  if (kind.name === 'date') return dateMarkup(text)
  if (kind.name === 'instant') return instantMarkup(text)
  if (kind.contact !== undefined) return contactMarkup(kind, text)
  if (text.includes('\n')) return html`<span class="prose">${text}</span>`
  return valueText(resource, field, thing)
}
