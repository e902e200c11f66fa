import type { Told } from '../../languages/tell.ts'
import { upsertAction } from '../../model/perform/content.ts'
import { actionsNamed, operationAlone, wordsAlone } from '../../model/schema/resources.ts'
import { nearest } from '../../values/faults/nearest.ts'
import { isObject } from '../../values/json/is-object.ts'
import { NO_OBJECT } from '../../values/members.ts'
import { type Call, JSON_OR_FORM } from '../contract/endpoint.ts'
import type { Form } from '../contract/form.ts'
import { noSuch } from '../contract/problems/problem.ts'
import { targetOf } from './parts/addressed.ts'
import { rawParams } from './parts/parameters.ts'

/** POST /command/HoldDeal/ */
export const commandEndpoint: Form<'command-endpoint'> = {
  name: 'command-endpoint',
  title: 'Command endpoint',
  idea: 'Reading and writing apart: nothing comes back.',
  routes: (schema) => [
    {
      method: 'POST',
      path: '/command/:name',
      documentedPath: '/command/:name/',
      operationAt: (path) => operationAlone(schema, path.split('/')[2]),
      summary: 'Do an operation; nothing comes back',
      reads: JSON_OR_FORM,
    },
  ],
  read(call) {
    const name = call.params.name ?? ''
    const operation = operationAlone(call.schema, name)
    const upserted = call.schema.resources.find((each) => each.uniques.length > 0 && upsertAction(each) === name)
    if (upserted !== undefined && isObject(call.body)) {
      const { id: target, ...attributes } = call.body
      return { resource: upserted.name, target: target ?? undefined, change: { attributes, makes: true } }
    }
    if (operation === undefined) return { problem: { code: 'not-found', detail: noSuchCommand(name, call) } }
    const params = withTarget(rawParams(call, operation), call)
    const asked = { resource: operation.on.name, change: { action: operation.words.action, params } }
    if (operation.to === 'nothing') return asked
    if (!isObject(params)) return { ...asked, faults: [{ ...NO_OBJECT, at: { pointer: '' } }] }
    const { id: target, ...rest } = params
    // An id among the parameters is compared with the target; a unique value is not one.
    if (isObject(target)) return { ...asked, target, change: { ...asked.change, params: rest } }
    return { ...asked, target: target ?? undefined }
  },
  body: ({ operation, params, target }) => (operation.to === 'nothing' ? params : { id: target, ...params }),
  takes: () => 'NamedCommand',
  parameter: ({ schema }) => ({
    description: 'The operation.',
    schema: { type: 'string', enum: wordsAlone(schema) },
    example: 'HoldDeal',
  }),
  reply: 'empty',
}

/** A form has the id as text, as an address has. */
function withTarget(params: unknown, { fields }: Call): unknown {
  if (fields === undefined || !isObject(params) || typeof params.id !== 'string') return params
  return { ...params, id: targetOf(params.id) }
}

function noSuchCommand(name: string, { schema }: Call): Told {
  const several = actionsNamed(schema, name)
  const meant = several.length > 0 ? several.join(' or ') : nearest(name, wordsAlone(schema))
  return noSuch('command', name, meant)
}
