import { withLinks } from '../../http/contract/sample.ts'
import type { Params } from '../../model/declaration/operation.ts'
import type { Door } from '../door.ts'
import { byName, functionName, JSON_TYPE, posting } from '../kit/declaring.ts'

const calling = (name: string, parameters: Params) =>
  posting('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: parameters } }, headers)

const headers = {
  Accept: `${JSON_TYPE}, text/event-stream`,
  'Content-Type': JSON_TYPE,
  'MCP-Protocol-Version': '2025-11-25',
}

/** POST /mcp */
export const mcp: Door<'mcp'> = {
  name: 'mcp',
  title: 'Model Context Protocol',
  idea: 'A tool for each operation, so that assistants can search, read and act.',
  at: '/mcp',
  routes: () => [{ method: 'POST', path: '', reads: [JSON_TYPE] }],
  headers: { request: ['MCP-Protocol-Version', 'Mcp-Session-Id', 'Mcp-Method', 'Mcp-Name'] },
  first: calling('list_deals', { filter: { status: 'open' }, limit: 2 }),
  request: (sample) => calling(functionName(sample.operation), byName(sample)),
  answer: (said) => ({
    status: 200,
    headers: { 'Content-Type': JSON_TYPE },
    body: `{"jsonrpc":"2.0","result":{"content":[…],"structuredContent":${'thing' in said ? withLinks(said.thing) : `${said.problem},"isError":true`}},"id":1}`,
  }),
  says: () => [
    [
      'Tools',
      'hold_deal, change_deal_price and so on for every operation; get_deal and list_deals for every resource; search. A tool is listed for those whose role may use it. Each has its JSON Schemas and says whether it only reads, destroys, or may be repeated.',
    ],
    [
      'Arguments',
      'id, the parameters of the operation, and beside them commandId, expectedRevision and dryRun. Lists take what QUERY takes: filter, sort, fields, expand, limit, after, count, q, group, measure.',
    ],
    [
      'Resources',
      'dealdesk://deals/{id} and so on for every resource, as JSON. The address of a thing in this service is read as well.',
    ],
    [
      'Problems',
      'A refusal is a result with isError: the reason as text, the problem as structured content. What is wrong with the protocol is an error of JSON-RPC.',
    ],
    [
      'Protocol',
      'Streamable HTTP without sessions: 2025-06-18 and 2025-11-25 begin with initialize, 2026-07-28 says with each request what it is. Pages of other origins need CORS_ORIGINS.',
    ],
  ],
  open: async () => (await import('./room.ts')).openRoom,
}
