import type { Call } from '../../http/contract/endpoint.ts'
import { dateText, instantText } from '../../languages/formats.ts'
import type { Reader } from '../../languages/reader.ts'
import { say } from '../../languages/say.ts'
import type { Words } from '../../languages/text.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { DocumentForm, FormField } from '../../representations/document.ts'
import { controlText, formatOf } from '../../representations/html/form.ts'
import type { Stored } from '../../store/port/desk.ts'
import { parseExact } from '../../values/json/exact-numbers.ts'
import { flattened } from '../../values/json/own.ts'
import { type FieldValues, fieldText } from './form-fields.ts'
import { besideName } from './picks.ts'
import type { SentFields } from './read-picked.ts'
import { type FormRefusal, filledIn } from './refused-form.ts'

/**
 * The refused form of a change, as sent; `form` has the current values. If somebody else changed the thing since the
 * form was shown, only the person's own changes stay, with the current value next to them: sent again, the form reverts
 * nothing of the other change.
 */
export async function sentAgain(
  form: DocumentForm,
  sent: SentFields,
  refusal: FormRefusal,
  { resource, stored }: { readonly resource: Resource; readonly stored: Stored },
  { desk, reader }: Call,
): Promise<() => DocumentForm> {
  const revision = Number(sent.get('_revision') ?? stored.revision)
  if (revision === stored.revision || !Number.isSafeInteger(revision)) return () => filledIn(form, sent, refusal)
  const past = await desk.past(resource, stored.id, { revision })
  // The shown state may not be kept any more: then everything counts as changed.
  const shown = 'thing' in past ? flattened(parseExact(past.thing.json) as FieldValues) : undefined
  return () => {
    const isField = ({ name }: FormField): boolean => Object.hasOwn(resource.fields, name)
    const untouched = form.fields
      .filter(isField)
      .filter((field) => shown !== undefined && !isTouched(field, sent, shown, reader))
    const names = new Set(untouched.map(({ name }) => name))
    const values = new Map([
      ...sent,
      ...untouched.map((field) => [field.name, controlText(field, reader) ?? ''] as const),
    ])
    const picked = new Map([...(refusal.picked ?? [])].filter(([name]) => !names.has(name)))
    const filled = filledIn(form, values, { ...refusal, picked })
    const now = (field: FormField, at: number): FormField => form.fields[at] ?? field
    return { ...filled, fields: filled.fields.map((field, at) => besideNow(field, now(field, at), resource, reader)) }
  }
}

function isTouched(field: FormField, sent: SentFields, shown: FieldValues, reader: Reader): boolean {
  const { name, picks } = field
  if (picks?.creation?.some((each) => (sent.get(each.name) ?? '') !== '')) return true
  if ((sent.get(besideName(name, 'find')) ?? '') !== '') return true
  const text = sent.get(name)
  const before = controlText({ ...field, value: fieldText(shown[name] ?? '') }, reader)
  return text !== undefined && inLines(text) !== inLines(before ?? '')
}

/** Browsers send texts with other line ends. */
const inLines = (text: string): string => text.replaceAll('\r\n', '\n')

/** A parameter that sets no field has no current value. */
function besideNow(field: FormField, now: FormField, resource: Resource, reader: Reader): FormField {
  if (now.value === undefined && !Object.hasOwn(resource.fields, field.name)) return field
  const text = controlText(now, reader) ?? ''
  if (inLines(field.value ?? '') === inLines(text) || field.value === now.value) return field
  return { ...field, note: now.value ? say('now {value}', { value: inWords(now, text) }) : say('now empty') }
}

/** The value of a field as people read it; `text` is what its control shows. */
function inWords(field: FormField, text: string): Words {
  const format = formatOf(field)
  if (format === 'date') return dateText(field.value ?? '')
  return format === 'date-time' ? instantText(field.value ?? '') : (field.picks?.chosen?.text ?? text)
}
