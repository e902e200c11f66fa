import { type Form, type FormRequest, requestsIn } from '../../http/contract/form.ts'
import { attributeUpdate } from '../../http/forms/attribute-update.ts'
import { forms } from '../../http/forms/forms.ts'
import { successOf } from '../../http/respond/replies.ts'
import type { Operation } from '../../model/declaration/schema.ts'
import { collectionNamed } from '../../queries/collections.ts'

/** A request for an operation in one form, with an example of its parameters. */
export interface ShownRequest extends FormRequest {
  readonly form: string
  readonly title: string
  /** Its successful answer, in words. */
  readonly success: string
  /** Whether the body is the whole thing: missing members get their defaults. */
  readonly replaces?: true
}

/** The name of an operation's page: the short name for deals, else the action. */
export const referenceName = ({ on, name, words }: Operation): string => (on.name === 'deal' ? name : words.action)

/** The operation in every form that supports it. Clients fill in `{id}` and `{command_id}`. */
export function requestsFor(operation: Operation): readonly ShownRequest[] {
  const sample = { operation, params: operation.examples[0], target: '{id}', command: '{command_id}' }
  return forms.flatMap((form) =>
    requestsIn(form, sample).map((request) => ({
      ...request,
      ...(form === attributeUpdate && request.method === 'PUT' && replacement(operation, request)),
      form: form.name,
      title: form.title,
      success: successIn(form, operation),
    })),
  )
}

/** A PUT that replaces a thing has all required members. */
function replacement({ on }: Operation, { body }: FormRequest): Pick<ShownRequest, 'body' | 'replaces'> {
  if (on.put !== 'anew') return {}
  const creation = on.operations.find(({ to }) => to === 'nothing')
  return { body: { ...creation?.examples[0], ...body }, replaces: true }
}

/** `201, the entry`; `204`; `200, no body`. */
function successIn({ reply }: Form, operation: Operation): string {
  const { status, shows } = successOf(reply, operation)
  if (status === 204) return '204'
  return `${status}, ${typeof shows === 'object' && 'one' in shows ? `the ${collectionNamed(operation.on.schema, shows.one).item}` : 'no body'}`
}
