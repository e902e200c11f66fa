import { type Fault, type Reason, reason } from '../../values/faults/fault.ts'
import { memberPointer } from '../../values/members.ts'

export const placed = (why: Reason, name: string): Fault => ({ ...why, at: { pointer: memberPointer(name) } })

/** The row has none of the required members. */
export function missing(oneOf: readonly string[]): Fault {
  const [only = '', ...others] = oneOf
  if (others.length === 0) return placed(reason('required'), only)
  return { code: 'one-required', with: { names: oneOf }, at: {} }
}
