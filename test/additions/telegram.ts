import type { Door, DoorCall, DoorResult } from '../../src/doors/door.ts'
import { callOperation, callSearch } from '../../src/doors/kit/call-by-name.ts'
import { byName, JSON_TYPE, posting } from '../../src/doors/kit/declaring.ts'
import { told } from '../../src/doors/kit/told.ts'
import { wrongMember } from '../../src/http/contract/problems/problem.ts'
import { withLinks } from '../../src/http/contract/sample.ts'
import { readJson } from '../../src/http/request/body.ts'
import { reason } from '../../src/values/faults/fault.ts'
import { isObject } from '../../src/values/json/is-object.ts'

/** A door: POST /telegram with ["HoldDeal",{"id":…,"reason":…}]; what comes back is ["done",…] or ["stop",…]. */
export const telegram: Door<'telegram'> = {
  name: 'telegram',
  title: 'Telegrams',
  idea: 'An action and its parameters, in one list.',
  at: '/telegram',
  routes: () => [{ method: 'POST', path: '', reads: [JSON_TYPE] }],
  first: posting('/telegram', ['Search', { q: 'roof' }]),
  request: (sample) => posting('/telegram', [sample.operation.words.action, byName(sample)]),
  answer: (said) => ({
    status: 200,
    body: 'thing' in said ? `["done",${withLinks(said.thing)}]` : `["stop",${said.problem}]`,
  }),
  says: () => [['Actions', 'HoldDeal and so on for every operation, and Search with q.']],
  open: async () => () => ({
    answer,
    tell(problem, call) {
      const { status, members } = told(problem, call)
      return { status, content: JSON.stringify(['stop', members]), contentType: JSON_TYPE }
    },
  }),
}

async function answer(call: DoorCall): Promise<DoorResult> {
  const read = readJson(call.bytes)
  if ('problem' in read) return read
  const [action, params = {}] = Array.isArray(read.body) ? read.body : []
  if (!isObject(params)) return { problem: wrongMember('/1', reason('type', { wants: 'object' })) }
  const operation = call.schema.byAction.get(action)
  if (operation === undefined && action !== 'Search') return { problem: wrongMember('/0', reason('unknown')) }
  const done = await (operation === undefined ? callSearch(params, call) : callOperation(operation, params, call))
  return 'problem' in done ? done : { status: 200, content: `["done",${done.json}]`, contentType: JSON_TYPE }
}
