import { readCommandId } from '../request/command-id.ts'
import { assignedToCommands, readEnvelope } from './envelope.ts'
import { DEALS, type Form } from './form.ts'

/** PUT …/deals/{id}/commands/{command_id} */
export const dealCommand: Form = {
  name: 'deal-command',
  title: 'Command in a deal',
  idea: 'Under an id of your own: decided once, however often it is sent.',
  routes: [
    {
      method: 'PUT',
      path: `${DEALS}/:id/commands/:command`,
      summary: 'Send a command to the deal',
      reads: ['application/json'],
    },
  ],
  read(call) {
    const id = readCommandId(call.params.command ?? '')
    if ('problem' in id) return id
    const deal = call.params.id
    const asked = readEnvelope(call.body, { deal: { deal }, id: { deal, command: id.command } }, assignedToCommands)
    return { ...asked, deal, command: { id: id.command, by: 'id' } }
  },
  body: ({ operation, params }) =>
    operation.on === 'nothing' ? undefined : { action: operation.words.action, params },
  takes: 'DealCommand',
  reply: 'command',
}
