import { joined } from '../../languages/text.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import type { FormRefusal } from '../forms/refused-form.ts'
import { fieldText } from '../list/columns.ts'
import { fieldChangedBy, isOffered, type Offered, setsAdded } from './offers.ts'
import type { Missing } from './refused.ts'
import type { ThingPage } from './view.ts'

/** The fields that a stage requires are set where the move was refused, or on the page of the related thing. */
export function missingIn({ code, extra }: FormRefusal, page: ThingPage): Missing | undefined {
  if (code !== 'stage-requires' || !Array.isArray(extra?.fields)) return undefined
  const { resource, referred, addresses } = page
  const required = extra.fields.map((name) => {
    const field = String(name)
    const through = resource.references.find((each) => field.startsWith(`${each.name}.`))
    return { field, through, other: through && referred.get(through.field) }
  })
  const elsewhere = required.flatMap(({ field, through, other }) => {
    if (through === undefined || other === undefined) return []
    const of = resourceNamed(resource.schema, through.to)
    const what = fieldText(of, field.slice(through.name.length + 1))
    return { href: addresses.thing(of, other.value), text: other.text, what }
  })
  // A related thing that is not there yet is chosen first.
  const own = required.flatMap(({ field, through, other }) => (other === undefined ? [through?.field ?? field] : []))
  const things = [...Map.groupBy(elsewhere, ({ href }) => href)].map(([href, those]) => ({
    ...{ href, text: those[0]?.text ?? '' },
    fields: joined(
      those.map(({ what }) => what),
      ', ',
    ),
  }))
  return { offers: settingOf(own, page), elsewhere: things }
}

/** The operations that set fields, which none of their forms leaves out, with as few others as possible. */
const settingOf = (fields: readonly string[], { offers }: ThingPage): readonly Offered[] =>
  offers.filter(isOffered).flatMap(({ operation, form }) => {
    const { sets = {} } = operation
    const asked = form.fields.map((field) =>
      fields.includes(sets[field.name] ?? field.name) ? { ...field, required: true } : field,
    )
    if (fields.includes(fieldChangedBy(operation) ?? '')) return [{ operation, form: { ...form, fields: asked } }]
    const added = setsAdded(operation) ? asked.filter(({ name }) => fields.includes(name)) : []
    return added.length === 0 ? [] : [{ operation, form: { ...form, fields: added } }]
  })
