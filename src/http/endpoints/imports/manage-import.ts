import type { uploadOperations } from '../../../model/imports/upload.ts'
import type { ManagedIntent } from '../../../model/managed/managed-operation.ts'
import type { ManagedOutcome } from '../../../store/port/managed.ts'
import type { Call } from '../../contract/endpoint.ts'
import { actorOf } from '../../write/intent.ts'
import { managerOf } from '../managed-writes.ts'

/** Asks for an operation on an import of the caller. */
export const manageImport = (
  call: Call,
  operation: keyof typeof uploadOperations,
  asked: Partial<Pick<ManagedIntent, 'target' | 'params' | 'prepared'>>,
): Promise<ManagedOutcome> =>
  call.service.store.manage({
    ...{ on: 'import', operation, target: {}, params: {}, prepared: null, ...asked },
    ...{ guard: { required: false }, dryRun: false, manager: managerOf(call) },
    author: { ...actorOf(call), address: call.peer.address },
  })
