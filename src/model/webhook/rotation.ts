import { integer } from '../../values/kinds/number.ts'
import { withDefault } from '../../values/members.ts'

const DAY = 86_400

/** What a client says of a new secret: for how many seconds the one before is signed with, too. */
export const rotationMembers = { overlap: withDefault(integer({ min: 0, max: 30 * DAY }), DAY) }
