import type { SentFields } from '../page-forms/read-picked.ts'
import { explained, type FormRefusal, filledIn } from '../page-forms/refused-form.ts'
import type { ExplainedRefusal } from '../problem/why.ts'
import type { UserForms } from './forms.ts'

/** A form of the page that was refused. */
export interface RefusedForm {
  /** The last part of the address that it was sent to. */
  readonly part: string
  /** That address, as a form is sent to it. */
  readonly address: string
  readonly fields: SentFields
  readonly refusal: FormRefusal
}

interface FormsAsSent {
  readonly forms: UserForms
  readonly refused?: ExplainedRefusal
}

/** The forms of the page; one that was refused has what was entered, with what is wrong beside it. */
export function asSent(forms: UserForms, sent: RefusedForm | undefined): FormsAsSent {
  if (sent === undefined) return { forms }
  const { part, fields, refusal } = sent
  const [name, form] = Object.entries(forms).find(([, { action }]) => action.endsWith(`/${part}`)) ?? []
  const said = explained(refusal, form)
  const refused = refusal.code === 'invalid-body' ? { ...said, title: 'Something in the form is not right' } : said
  if (name === undefined || form === undefined) return { forms, refused }
  // No page has a password in it.
  const entered = form === forms.password ? new Map() : fields
  return { forms: { ...forms, [name]: filledIn(form, entered, refusal) }, refused }
}
