import { withLinks } from '../../http/contract/sample.ts'
import type { Params } from '../../model/declaration/operation.ts'
import type { Door } from '../door.ts'
import { byName, JSON_TYPE, posting } from '../kit/declaring.ts'

const calling = (method: string, params: Params) => posting('/rpc', { jsonrpc: '2.0', id: 1, method, params })

/** POST /rpc */
export const rpc: Door<'rpc'> = {
  name: 'rpc',
  title: 'JSON-RPC 2.0',
  idea: 'One address, a method for each operation, batches and notifications.',
  at: '/rpc',
  routes: () => [{ method: 'POST', path: '', reads: [JSON_TYPE] }],
  first: calling('deals.list', { filter: { status: 'open' }, limit: 2 }),
  request: (sample) => calling(`${sample.operation.on.plural}.${sample.operation.name}`, byName(sample)),
  answer: (said) => ({
    status: 200,
    headers: { 'Content-Type': JSON_TYPE },
    body:
      'thing' in said
        ? `{"jsonrpc":"2.0","id":1,"result":${withLinks(said.thing)}}`
        : `{"jsonrpc":"2.0","id":1,"error":{"code":…,"data":${said.problem}}}`,
  }),
  says: () => [
    [
      'Methods',
      'deals.hold and so on for every operation of every resource; deals.get with id, fields and expand; deals.list with what QUERY takes (filter, sort, fields, expand, limit, after, count, q, group, measure); search with q; rpc.discover answers all of them as an OpenRPC document. Words are written change-price or changePrice.',
    ],
    [
      'Parameters',
      'By name: id, the parameters of the operation, and beside them commandId, expectedRevision and dryRun.',
    ],
    [
      'Problems',
      'An error with the reason as message and the problem as data: -32700, -32600, -32601 and -32602 as the specification says (-32602 is 400 and 422), else -32000 minus the last two digits of the status, and -32050 minus them for 5xx. The status of HTTP is 200, unless the request did not get in.',
    ],
    [
      'Batches',
      'At most 1,000, one after the other, each for itself; what is read in one batch has at most 10,000 things and 16 MB, and each read counts as a request. Notifications are done and not answered.',
    ],
  ],
  open: async () => (await import('./room.ts')).openRoom,
}
