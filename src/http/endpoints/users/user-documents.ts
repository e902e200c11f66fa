import type { Operation, Schema } from '../../../model/declaration/schema.ts'
import type { userOperations } from '../../../model/nouns/user/operations.ts'
import type { StoredUser, User } from '../../../model/nouns/user/user.ts'
import { operationNamed, resourceNamed } from '../../../model/schema/resources.ts'
import type { Document } from '../../../representations/document.ts'
import type { Validators } from '../../contract/answer.ts'
import type { Call } from '../../contract/endpoint.ts'
import type { ShownOnce } from '../../contract/shown.ts'
import { auditedDocument } from '../../respond/audited-documents.ts'
import type { DoneHere } from '../audited/audited-writes.ts'

export function userOperation(schema: Schema, name: (typeof userOperations)[number]['name']): Operation {
  const operation = operationNamed(name, resourceNamed(schema, 'user'))
  if (operation === undefined) throw new Error(`a user has no operation ${name}`)
  return operation
}

export const userDocument = (user: User, { schema, service }: Call, once: ShownOnce = {}): Document =>
  auditedDocument(resourceNamed(schema, 'user'), user, service.addresses, { once })

/** `lastSeenAt` is shown, but does not make a revision. */
export const userState = ({ revision, updatedAt, previousAt, lastSeenAt }: StoredUser): Validators => ({
  revision,
  updatedAt,
  previousAt: previousAt ?? null,
  beside: lastSeenAt,
})

/** The user, with a link that is shown only once. */
export function showWithUser(thing: DoneHere['thing'], once: ShownOnce, call: Call) {
  const user = asUser(thing)
  return {
    document: () => userDocument(user, call, once),
    shown: { screen: 'user', user, once } as const,
    address: call.service.addresses.user(user.name),
    validators: userState(user),
  }
}

export const backToUser = ({ thing }: DoneHere, { service }: Call) => ({
  next: service.addresses.user(asUser(thing).name),
})

/** A stored user has all of their fields. */
export const asUser = (thing: DoneHere['thing']): StoredUser => thing as unknown as StoredUser
