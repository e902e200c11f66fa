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

export const newKeyMembers = {
  name: required(newActorName),
  role: required(role),
  endsAt: withDefault(nullable(instant), null),
}
