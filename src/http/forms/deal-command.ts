import { bodyName, type Form, resourcesIn } from '../contract/form.ts'
import { readCommandId } from '../request/command-id.ts'
import { targetIn } from './parts/addressed.ts'
import { assignedToCommands, readEnvelope } from './parts/envelope.ts'

/** PUT …/deals/{id}/commands/{command_id} */
export const dealCommand: Form<'deal-command'> = {
  name: 'deal-command',
  title: 'Command sub-collection',
  idea: 'Under an id of your own: decided once, however often it is sent.',
  routes: (schema) =>
    resourcesIn(schema, 'deal-command').map((resource) => ({
      method: 'PUT',
      path: `${resource.path}/:id/commands/:command`,
      summary: `Send a command to the ${resource.name}`,
      reads: ['application/json'],
      resource,
    })),
  read(call, { resource }) {
    if (resource === undefined) throw new Error('the route names no resource')
    const id = readCommandId(call.params.command ?? '')
    if ('problem' in id) return id
    const target = targetIn(call)
    const addressed = { [resource.name]: target }
    const beside = { [resource.name]: addressed, id: { ...addressed, command: id.command } }
    const asked = readEnvelope(resource, call.body, beside, assignedToCommands)
    return { ...asked, target, command: { id: id.command, by: 'id' } }
  },
  body: ({ operation, params }) =>
    operation.to === 'nothing' ? undefined : { action: operation.words.action, params },
  takes: (resource) => bodyName(resource, 'Command'),
  reply: 'command',
}
