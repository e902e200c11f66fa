import { nullable } from '../../values/kinds/kind.ts'
import { instant } from '../../values/kinds/time.ts'
import { required, withDefault } from '../../values/members.ts'
import { assigned, kindsOf, type ThingOf } from '../field.ts'
import { jsonWriter } from '../json-writer.ts'
import { actorName, newActorName, role } from './user.ts'

const fields = {
  name: assigned(actorName),
  /** Null for keys that were made by the command line for no user, as those of earlier releases. */
  user: assigned(nullable(actorName)),
  role: assigned(role),
  endsAt: assigned(nullable(instant)),
  createdAt: assigned(instant),
}

/** A program's credential; its secret is shown once and kept as a hash. */
export type ApiKey = ThingOf<typeof fields>

export const keyKinds = kindsOf(fields)

export const keyToJson: (key: ApiKey) => string = jsonWriter(fields)

/** More are a sign that something makes them by itself. */
export const MOST_KEYS = 50

/** Why a key cannot be made. */
export type KeyRefusal = 'taken' | 'too many'

/** `names` are those of the user's keys; for a key that belongs to nobody those of all users and such keys. */
export function keyRefusal(
  { name, user }: Pick<ApiKey, 'name' | 'user'>,
  names: readonly string[],
): KeyRefusal | undefined {
  if (names.some((each) => comparable(each) === comparable(name))) return 'taken'
  return user !== null && names.length >= MOST_KEYS ? 'too many' : undefined
}

/** Names that look the same are the same. */
const comparable = (name: string): string => name.normalize('NFKC').toLowerCase()

export const newKeyMembers = {
  name: required(newActorName),
  role: required(role),
  endsAt: withDefault(nullable(instant), null),
}
