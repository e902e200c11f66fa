import { text } from '../../../values/kinds/text.ts'
import { optional, required } from '../../../values/members.ts'
import { newPassword } from './password.ts'
import { newActorName } from './user.ts'

/** The members of a sign-in. Only the combination of name and password is judged. */
export const signInMembers = {
  name: required(text({ min: 1, max: 200 })),
  password: required(text({ min: 1, max: 1024 })),
  /** Where to go afterwards: a local path. */
  return: optional(text({ min: 0, max: 8192 })),
  /** A form that was sent after the session had ended. */
  kept: optional(text({ min: 0, max: 200_000 })),
}

/** The members for an invited user. */
export const invitationMembers = { password: required(newPassword) }

/** The members for the first admin. */
export const setUpMembers = {
  code: required(text({ min: 1, max: 100 })),
  name: required(newActorName),
  password: required(newPassword),
}
