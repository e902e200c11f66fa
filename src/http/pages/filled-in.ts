import type { DocumentForm } from '../../representations/document.ts'
import type { Problem } from '../problem.ts'

/** A form as it was sent, with what is wrong beside each field. */
export function filledIn(
  form: DocumentForm,
  sent: ReadonlyMap<string, string>,
  { errors = [] }: Problem,
): DocumentForm {
  const faults = new Map(errors.flatMap((each) => ('pointer' in each ? [[each.pointer, each.detail]] : [])))
  return {
    ...form,
    fields: form.fields.map(({ value: _value, ...field }) => {
      const value = sent.get(field.name)
      const fault = faults.get(`/${field.name}`)
      return { ...field, ...(value !== undefined && { value }), ...(fault !== undefined && { fault }) }
    }),
  }
}
