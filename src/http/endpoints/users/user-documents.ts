import { managedNamed } from '../../../model/managed/decide-managed.ts'
import type { StoredUser, User } from '../../../model/user/user.ts'
import type { Document } from '../../../representations/document.ts'
import type { Validators } from '../../contract/answer.ts'
import type { Call } from '../../contract/endpoint.ts'
import type { ShownOnce } from '../../contract/shown.ts'
import { managedDocument } from '../../respond/managed-documents.ts'

export const userDocument = (user: User, { schema, service }: Call, once: ShownOnce = {}): Document =>
  managedDocument(managedNamed(schema, 'user'), user, service.addresses, { once })

/** `lastSeenAt` is shown, but does not make a revision. */
export const userState = ({ revision, updatedAt, previousAt, lastSeenAt }: StoredUser): Validators => ({
  revision,
  updatedAt,
  previousAt: previousAt ?? null,
  beside: lastSeenAt,
})

/** The user, with a link that is shown only once. */
export const showWithUser = (user: StoredUser, once: ShownOnce, call: Call) => ({
  document: () => userDocument(user, call, once),
  shown: { screen: 'user', user, once } as const,
  address: call.service.addresses.user(user.name),
  validators: userState(user),
})
