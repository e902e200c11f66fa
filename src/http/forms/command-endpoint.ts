import { operationNamed, operationWords } from '../../model/deal/operations.ts'
import { isObject, NO_OBJECT } from '../../values/members.ts'
import { nearest } from '../../values/nearest.ts'
import { bare, type Form } from './form.ts'
import { rawParams } from './parameters.ts'

/** POST /command/HoldDeal/ */
export const commandEndpoint: Form = {
  name: 'command-endpoint',
  title: 'Command endpoint',
  idea: 'Reading and writing apart: nothing comes back.',
  routes: [
    {
      method: 'POST',
      path: '/command/:name',
      documentedPath: '/command/:name/',
      summary: 'Do an operation; nothing comes back',
      reads: ['application/json', 'application/x-www-form-urlencoded'],
    },
  ],
  read(call) {
    const name = call.params.name ?? ''
    const operation = operationNamed(name)
    if (operation === undefined) {
      const near = nearest(name, operationWords)
      const detail = `There is no command ${JSON.stringify(name)}${near === undefined ? '.' : `, did you mean ${near}?`}`
      return { problem: { code: 'not-found', detail } }
    }
    const params = rawParams(call, operation)
    const change = { action: operation.name, params }
    if (operation.on === 'nothing') return { change, pointers: bare, faults: [] }
    if (!isObject(params)) return { change, pointers: bare, faults: [{ pointer: '', detail: NO_OBJECT }] }
    return { deal: params.id, change, pointers: bare, faults: [] }
  },
  body: ({ operation, params, deal }) => (operation.on === 'nothing' ? params : { id: deal, ...params }),
  takes: 'NamedCommand',
  parameter: {
    description: 'The operation.',
    schema: { type: 'string', enum: operationWords },
    example: 'HoldDeal',
  },
  reply: 'empty',
}
