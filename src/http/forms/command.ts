import type { Resource, Schema } from '../../model/declaration/schema.ts'
import { upsertAction } from '../../model/perform/content.ts'
import { operationAlone, operationNamed, unnamedResource } from '../../model/schema/resources.ts'
import { isObject } from '../../values/json/is-object.ts'
import type { Form } from '../contract/form.ts'
import { readCommandId } from '../request/command-id.ts'
import { assignedToCommands, readEnvelope } from './parts/envelope.ts'

/** PUT /rest/commands/{command_id} */
export const command: Form<'command'> = {
  name: 'command',
  title: 'Command collection',
  idea: 'The same, at one address for all things: the body names the thing.',
  routes: () => [
    { method: 'PUT', path: '/rest/commands/:command', summary: 'Send a command', reads: ['application/json'] },
  ],
  read(call) {
    const id = readCommandId(call.params.command ?? '')
    if ('problem' in id) return id
    const resource = resourceIn(call.body, call.schema)
    const beside = { [resource.name]: {}, id: { command: id.command } }
    const asked = readEnvelope(resource, call.body, beside, assignedToCommands)
    // `deal: null` is the same as no deal: a creation names none.
    const target = isObject(call.body) ? (call.body[resource.name] ?? undefined) : undefined
    return { ...asked, target, command: { id: id.command, by: 'id' } }
  },
  body: ({ operation, params, target }) => ({
    ...(operation.to !== 'nothing' && { [operation.on.name]: target }),
    action: operation.words.action,
    params,
  }),
  takes: () => 'AnyCommand',
  reply: 'command',
}

/** The resource of the action, or else of the named thing. Without either it is a deal. */
export function resourceIn(body: unknown, schema: Schema): Resource {
  if (!isObject(body)) return unnamedResource(schema)
  const named = schema.resources.find(({ name }) => Object.hasOwn(body, name))
  const operation = named === undefined ? operationAlone(schema, body.action) : operationNamed(body.action, named)
  const upserted = schema.resources.find((each) => each.uniques.length > 0 && upsertAction(each) === body.action)
  return operation?.on ?? named ?? upserted ?? unnamedResource(schema)
}
