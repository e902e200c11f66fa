import { say } from '../../languages/say.ts'
import type { Operation } from '../../model/operation.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { type DataObject, readDocument } from '../../representations/read-document.ts'
import type { Stored } from '../../store/port/store.ts'
import { thingForm } from '../page-forms/operation-form.ts'
import type { Visit } from '../parts/visit.ts'

/** A question before something that is final. */
export interface FinalQuestion {
  readonly title: () => string
  /** The name of what it is about. */
  readonly name: string
  /** Sent by a yes. */
  readonly form: DocumentForm
  /** Where a no leads. */
  readonly href: string
}

export function operationQuestion(operation: Operation, stored: Stored, { service }: Visit): FinalQuestion {
  const { addresses } = service
  const shown = readDocument(stored.json) as DataObject
  return {
    title: () => say(operation.title),
    name: String(shown.name ?? shown.title ?? shown.currency ?? stored.id),
    form: thingForm(operation, stored, shown, addresses),
    href: addresses.thing(operation.on, stored.id),
  }
}

/** The question before the removal of what is at `href`. */
export const removalQuestion = (title: () => string, name: string, href: string): FinalQuestion => ({
  title,
  name,
  form: { title: '', action: `${href}/removals`, method: 'post', submit: '', fields: [], hidden: {} },
  href,
})
