import { integer } from '../../values/kinds/number.ts'
import { withDefault } from '../../values/members.ts'

const DAY = 86_400

/** The parameters of a rotation: for how many seconds the previous secret signs, too. */
export const rotationMembers = { overlap: withDefault(integer({ min: 0, max: 30 * DAY }), DAY) }
