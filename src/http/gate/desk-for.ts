import { type Desk, SERVICE } from '../../store/port/desk.ts'
import type { Call } from '../contract/endpoint.ts'

/** The desk of the admitted caller. */
export const deskFor = (
  { caller, role }: Pick<Call, 'caller' | 'role'>,
  { store }: Pick<Call['service'], 'store'>,
): Desk => store.as(caller === null ? SERVICE : { name: caller.name, isAdmin: role === 'admin' })
