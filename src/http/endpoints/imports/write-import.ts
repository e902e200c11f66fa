import type { Call } from '../../contract/endpoint.ts'
import type { RefusedCall } from '../../contract/problems/problem.ts'
import type { Applied, Write } from '../../contract/write.ts'
import { apply } from '../../write/write.ts'

/** A write of an import by the service, while it receives a file. */
export const writeImport = (
  call: Call,
  action: 'create' | 'change',
  { params = {}, ...asked }: Pick<Write, 'target' | 'prepared'> & { readonly params?: object },
): Promise<Applied | RefusedCall> =>
  apply(
    { ...asked, resource: 'import', change: { action, params }, address: call.peer.address },
    { ...call, around: { guard: { required: false } }, form: 'address' },
  )
