import type { DocumentForm } from '../../representations/document.ts'
import type { Problem, ProblemError } from '../respond/problem.ts'
import { problemTypes } from '../respond/problem-types.ts'

/** A form as it was sent, with what is wrong beside each field. */
export function filledIn(
  form: DocumentForm,
  sent: ReadonlyMap<string, string>,
  { errors = [] }: Problem,
): DocumentForm {
  const faults = new Map(errors.map((each) => [fieldNamed(each), each.detail]))
  return {
    ...form,
    fields: form.fields.map(({ value: _value, ...field }) => {
      const value = sent.get(field.name)
      const fault = faults.get(field.name)
      return { ...field, ...(value !== undefined && { value }), ...(fault !== undefined && { fault }) }
    }),
  }
}

/** What is wrong with a form that was sent, to whoever filled it in: they know fields and not members or revisions. */
export function toldOf({ code, detail, errors = [] }: Problem, form: Pick<DocumentForm, 'fields'> | undefined) {
  const { title } = problemTypes[code]
  const names = new Set(form?.fields.map(({ name }) => name))
  if (code === 'stale-revision') return { title, detail: 'it was changed after the form was shown.' }
  if (code !== 'invalid-body' || !errors.every((each) => names.has(fieldNamed(each)))) return { title, detail }
  return { title: 'Something in the form is not right', detail: 'see beside the fields what to change.' }
}

/** The field whose value, or a part of it, is pointed at. */
const fieldNamed = (error: ProblemError): string => ('pointer' in error ? (error.pointer.split('/')[1] ?? '') : '')
