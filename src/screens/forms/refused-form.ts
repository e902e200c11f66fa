import type { Told } from '../../languages/tell.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { AddedField } from '../../model/source/added-field.ts'
import type { DocumentForm, FormField } from '../../representations/document.ts'
import type { Fault } from '../../values/faults/fault.ts'
import type { Json } from '../../values/json/json.ts'
import { ownField } from '../../values/json/own.ts'
import { memberAt, memberPointer } from '../../values/members.ts'
import type { ExplainedRefusal } from '../problem/why.ts'
import { type Picked, withPicked } from './picks.ts'
import { type SentFields, textIn } from './read-picked.ts'

/** Why a form was refused. */
export interface FormRefusal extends ExplainedRefusal {
  readonly code: string
  /** The further members of the problem. */
  readonly extra?: { readonly [name: string]: Json }
  /** The choices in the form. */
  readonly picked?: ReadonlyMap<string, Picked>
  /** The fields of the form that were retired after it was shown. */
  readonly retired?: readonly AddedField[]
}

/** The name, or the value of a unique field, that another one has. */
export function takenAt({ code, extra = {} }: FormRefusal, { name }: Resource): readonly Fault[] {
  const field = code === 'name-taken' ? 'name' : code === 'not-unique' ? String(extra.field) : undefined
  return field === undefined ? [] : [{ code: 'taken', with: { resource: name }, at: { pointer: memberPointer(field) } }]
}

/** The retired fields that a refused form had. */
export function retiredIn({ errors = [] }: FormRefusal, { name, schema }: Resource): Pick<FormRefusal, 'retired'> {
  const unknown = errors.flatMap(({ code, at }) => (code === 'unknown' ? [memberAt(at.pointer)] : []))
  return { retired: schema.fields.filter((field) => field.on === name && unknown.includes(ownField(field.name))) }
}

/** A form as sent, with the fault at each field. The first faulty field has the focus. */
export function filledIn(form: DocumentForm, sent: SentFields, { errors = [], picked }: FormRefusal): DocumentForm {
  const names = fieldNames(form)
  // The first fault of a field is shown.
  const faults = new Map(errors.toReversed().map((each) => [fieldNamed(each, names), each]))
  const first = names.find((name) => faults.has(name))
  const fill = (shown: FormField): FormField => {
    if (shown.isHidden) return shown
    const { value: now, picks, rows, ...field } = shown
    const value = picks === undefined ? sent.get(field.name) : textIn(sent, field.name)
    const fault = faults.get(field.name)
    return {
      ...field,
      // A form of some fields leaves the others as they are.
      ...(value === undefined ? now !== undefined && { value: now } : { value, isTyped: true as const }),
      ...(fault !== undefined && { fault, ...lineOf(fault, field, value) }),
      ...(field.name === first && { isFirst: true }),
      ...(rows && { rows: rows.map((row) => ({ ...row, fields: row.fields.map(fill) })) }),
      ...(picks && { picks: { ...picks, ...(picks.creation && { creation: picks.creation.map(fill) }) } }),
    }
  }
  const back = sent.get('_return')
  const hidden = { ...form.hidden, ...(back !== undefined && { _return: back }) }
  const filled = { ...form, hidden, fields: form.fields.map(fill) }
  return picked === undefined ? filled : withPicked(filled, picked)
}

/** The refusal for the person who filled in the form: they know its fields, not members or revisions. */
export function explained(refusal: FormRefusal, form: Pick<DocumentForm, 'fields'> | undefined): ExplainedRefusal {
  const { code, title, errors = [], retired = [] } = refusal
  const names = form === undefined ? [] : fieldNames(form)
  if (code === 'stale-revision')
    return {
      title,
      detail: 'Somebody changed this while you were editing. Your change is not saved yet.',
      isWhole: true,
    }
  // The user came back to a form that was already sent, and changed it.
  if (code === 'idempotency-key-reused')
    return {
      title: 'This form was sent before with something else in it',
      detail: 'The earlier content of the form was applied. Send it again to apply this, too.',
    }
  const elsewhere = errors.filter((each) => !names.includes(fieldNamed(each, names)))
  if (code !== 'invalid-body' || elsewhere.length > retired.length) return refusal
  const what = { title: 'Something in the form is not right' }
  if (retired.length === 0) return { ...what, detail: 'see the notes at the fields.' }
  const text: Told = 'Retired while you were editing: {fields}. Your change is not saved yet: send it without them.'
  const fields = retired.map((field) => ({ title: field.title, titles: field.titles ?? {} }))
  return { ...what, detail: { text, with: { fields } }, isWhole: true }
}

/** With those of the new thing at a field, and of the entries of a list. */
const fieldNames = ({ fields }: Pick<DocumentForm, 'fields'>): readonly string[] =>
  fields.flatMap(({ name, picks, rows = [] }) => [
    ...rows.flatMap(fieldNames),
    name,
    ...(picks?.creation ?? []).map((each) => each.name),
  ])

/** The field that a fault is about: that of the part or of what it is in, of an added field, or of the member. */
function fieldNamed({ at: { pointer = '' } }: Fault, names: readonly string[]): string {
  const parts = pointer.slice(1).split('/')
  const around = parts.map((_, at) => parts.slice(0, parts.length - at).join('/'))
  return [...around.slice(0, -1), memberAt(pointer)].find((name) => names.includes(name)) ?? parts[0] ?? ''
}

/** Entries that are typed as lines, some of which may be blank. */
function lineOf({ at: { pointer = '' } }: Fault, { name }: FormField, text = ''): Pick<FormField, 'faultyLine'> {
  const entry = /^\/(\d+)/.exec(pointer.startsWith(`/${name}/`) ? pointer.slice(name.length + 1) : '')?.[1]
  const lines = text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [at + 1]))
  const faultyLine = entry === undefined ? undefined : lines[Number(entry)]
  return faultyLine === undefined ? {} : { faultyLine }
}
