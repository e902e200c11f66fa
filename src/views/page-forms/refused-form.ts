import type { DocumentForm } from '../../representations/document.ts'
import { html } from '../../representations/html/markup.ts'
import type { View } from '../parts/visit.ts'
import { framedForm } from './framed-form.ts'

/** Why a form was refused. */
export interface FormRefusal {
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly errors?: readonly FieldFault[]
}

interface FieldFault {
  /** A JSON pointer to the field. */
  readonly pointer?: string
  readonly detail: string
}

type SentFields = ReadonlyMap<string, string>

/** A form as it was sent, with what is wrong beside each field. */
export function filledIn(form: DocumentForm, sent: SentFields, { errors = [] }: FormRefusal): DocumentForm {
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

/** The refusal for the person who filled in the form: they know its fields, not members or revisions. */
export function explained(
  { code, title, detail, errors = [] }: FormRefusal,
  form: Pick<DocumentForm, 'fields'> | undefined,
): Pick<FormRefusal, 'title' | 'detail'> {
  const names = new Set(form?.fields.map(({ name }) => name))
  if (code === 'stale-revision') return { title, detail: 'it was changed after the form was shown.' }
  if (code !== 'invalid-body' || !errors.every((each) => names.has(fieldNamed(each)))) return { title, detail }
  return { title: 'Something in the form is not right', detail: 'see beside the fields what to change.' }
}

/** The field that a fault is about. */
const fieldNamed = ({ pointer = '' }: FieldFault): string => pointer.split('/')[1] ?? ''

/** The refused form for a new thing; `above` is its collection. */
export function refusedCreation(
  refusal: FormRefusal,
  form: DocumentForm,
  sent: SentFields,
  above: { readonly href: string; readonly text: string },
): View {
  const filled = filledIn(form, sent, refusal)
  const { title, detail } = explained(refusal, filled)
  return () => html`<header class="head"><div><p class="crumbs"><a href="${above.href}">${above.text}</a></p><h1>${form.title}</h1></div></header>
<section class="refused panel" role="alert" aria-labelledby="refused"><h2 id="refused">${title}</h2><p>Nothing was changed: ${detail}</p></section>
<section class="panel" aria-label="The form">${framedForm(filled, 'new-form')}</section>
`
}
