import { text } from '../../values/kinds/text.ts'
import { optional, required } from '../../values/members.ts'
import { newPassword } from './password.ts'
import { newActorName } from './user.ts'

/** What is sent to sign in. Nothing is said of a name or password but whether both are right. */
export const signInMembers = {
  name: required(text({ min: 1, max: 200 })),
  password: required(text({ min: 1, max: 1024 })),
  /** Where to go then: a local path. */
  return: optional(text({ min: 0, max: 8192 })),
  /** A form that was sent after the session had ended. */
  kept: optional(text({ min: 0, max: 200_000 })),
}

/** What an invited user sends. */
export const invitationMembers = { password: required(newPassword) }

/** What makes the first admin. */
export const setUpMembers = {
  code: required(text({ min: 1, max: 100 })),
  name: required(newActorName),
  password: required(newPassword),
}
