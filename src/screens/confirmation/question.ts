import type { Call } from '../../http/contract/endpoint.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Operation } from '../../model/declaration/schema.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { type DataObject, readDocument } from '../../representations/read-document.ts'
import type { Stored } from '../../store/port/desk.ts'
import { sureText } from '../forms/framed-form.ts'
import { thingForm } from '../forms/operation-form.ts'
import { nameOf } from '../parts/names.ts'

/** A question before a final operation. */
export interface FinalQuestion {
  readonly title: Text
  /** The button of a yes. */
  readonly yes: Text
  /** The name of its subject. */
  readonly name: string
  /** Sent by a yes. */
  readonly form: DocumentForm
  /** Where a no leads. */
  readonly href: string
}

/** `back` is the previous page of this service, if it is not that of the thing. */
export function operationQuestion(
  operation: Operation,
  stored: Stored,
  { service }: Call,
  back?: string,
): FinalQuestion {
  const { addresses } = service
  const shown = readDocument(stored.json) as DataObject
  const form = thingForm(operation, stored, shown, addresses)
  return {
    title: say(operation.title),
    yes: sureText(operation),
    name: nameOf(operation.on, shown),
    form: back === undefined ? form : { ...form, hidden: { ...form.hidden, _return: back } },
    href: back === undefined ? addresses.thing(operation.on, stored.id) : addresses.base + back,
  }
}

/** The question before the removal of the thing at `href`. */
export const removalQuestion = (title: Text, name: string, href: string): FinalQuestion => ({
  title,
  yes: say('Yes: {action}', { action: title }),
  name,
  form: { title, action: `${href}/removals`, method: 'post', submit: title, fields: [], hidden: {} },
  href,
})
