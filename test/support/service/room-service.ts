import { closeAtEnd } from '../rooms/at-end.ts'
import { type ClosedService, withRoles } from './closed-service.ts'
import { makeCustomers } from './making-deals.ts'
import { openService, type TestService } from './running-service.ts'

/**
 * One service for all files of a room that only read or make their own things, as a start takes a quarter of a second
 * of computing. It has the customers of `ways`; others have left rows in it, so a file asks for its things by their ids.
 */
export const roomService = (): Promise<TestService> => {
  open ??= closedAtEnd(openWithCustomers())
  return open
}

/** The same with a user and a key of each role. */
export const closedRoomService = (): Promise<ClosedService> => {
  closed ??= closedAtEnd(openService().then(withRoles))
  return closed
}

async function openWithCustomers(): Promise<TestService> {
  const service = await openService()
  await makeCustomers(service)
  return service
}

let open: Promise<TestService> | undefined
let closed: Promise<ClosedService> | undefined

function closedAtEnd<S extends TestService>(starting: Promise<S>): Promise<S> {
  closeAtEnd(async () => (await starting).close())
  return starting
}
