import { isObject } from '../../values/json/is-object.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import { memberIn } from '../../values/members.ts'
import { onceFor } from '../../values/memoize.ts'
import { bySchema } from '../declaration/by-schema.ts'
import type { Operation, Resource } from '../declaration/schema.ts'
import { isMe } from '../nouns/user/person.ts'
import { operationNamed } from '../schema/resources.ts'
import type { Intent } from './intent.ts'

/** A parameter or attribute that names a person, and the field that it sets. */
interface PersonMember {
  readonly name: string
  readonly field: string
  readonly kind: Kind<unknown>
}

/** A text that is sent for a person. */
export interface SentPerson extends PersonMember {
  readonly text: string
}

/** The fields for persons that clients set, added ones included. */
export const personFields = bySchema(({ operations }: Resource): readonly PersonMember[] => [
  ...new Map(
    operations.flatMap(personParams).map(({ field, kind }) => [field, { name: field, field, kind }] as const),
  ).values(),
])

const personParams = onceFor(({ params, sets = {} }: Operation): readonly PersonMember[] =>
  Object.entries(params).flatMap(([name, { kind }]) =>
    kind.namesUser ? [{ name, field: Object.hasOwn(sets, name) ? String(sets[name]) : name, kind }] : [],
  ),
)

/** The members for persons of what is sent: attributes, or the parameters of an operation. */
export const personMembers = (resource: Resource, operation: Operation | undefined): readonly PersonMember[] =>
  operation === undefined ? personFields(resource) : personParams(operation)

export function personsIn(sent: unknown, members: readonly PersonMember[]): readonly SentPerson[] {
  if (members.length === 0 || !isObject(sent)) return []
  return members.flatMap((member) => {
    const read = member.kind.read(memberIn(sent, member.name))
    return 'value' in read && typeof read.value === 'string' ? [{ ...member, text: read.value }] : []
  })
}

/** The texts that an intent has for persons, and who asks where one is `me`: the store looks up the users. */
export function personTexts({ change, caller }: Intent, resource: Resource): readonly string[] {
  const found =
    'attributes' in change
      ? personsIn(change.attributes, personFields(resource))
      : [
          ...personsIn(change.params, personMembers(resource, operationNamed(change.action, resource))),
          ...personsIn(change.afterwards?.attributes, personFields(resource)),
        ]
  return textsOf(found, caller?.name)
}

/** Those to look up. */
export const textsOf = (sent: readonly SentPerson[], caller: string | undefined): readonly string[] =>
  sent.flatMap(({ text }) => (caller !== undefined && isMe(text) ? [caller] : [text]))
