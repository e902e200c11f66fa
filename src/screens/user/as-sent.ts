import type { SentFields } from '../forms/read-picked.ts'
import { explained, type FormRefusal, filledIn } from '../forms/refused-form.ts'
import type { ExplainedRefusal } from '../problem/why.ts'
import type { UserForms } from './forms.ts'

/** A refused form of the page. */
export interface RefusedForm {
  /** The last part of its target's address. */
  readonly part: string
  /** That address, as the target of a form. */
  readonly address: string
  readonly fields: SentFields
  readonly refusal: FormRefusal
}

interface FormsAsSent {
  readonly forms: UserForms
  readonly refused?: ExplainedRefusal
}

/** The forms of the page; a refused one has its values and faults. */
export function asSent(forms: UserForms, sent: RefusedForm | undefined): FormsAsSent {
  if (sent === undefined) return { forms }
  const { part, fields, refusal } = sent
  const [name, form] = Object.entries(forms).find(([, { action }]) => action.endsWith(`/${part}`)) ?? []
  const said = explained(refusal, form)
  const refused = refusal.code === 'invalid-body' ? { ...said, title: 'Something in the form is not right' } : said
  if (name === undefined || form === undefined) return { forms, refused }
  // No page contains a password.
  const entered = form === forms.password ? new Map() : fields
  return { forms: { ...forms, [name]: filledIn(form, entered, refusal) }, refused }
}
