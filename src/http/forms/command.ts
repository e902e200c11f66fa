import { isObject } from '../../values/members.ts'
import { readCommandId } from '../request/command-id.ts'
import { assignedToCommands, readEnvelope } from './envelope.ts'
import type { Form } from './form.ts'

/** PUT /rest/commands/{command_id} */
export const command: Form = {
  name: 'command',
  title: 'Command collection',
  idea: 'The same, outside of the deal.',
  routes: [{ method: 'PUT', path: '/rest/commands/:command', summary: 'Send a command', reads: ['application/json'] }],
  read(call) {
    const id = readCommandId(call.params.command ?? '')
    if ('problem' in id) return id
    const asked = readEnvelope(call.body, { deal: {}, id: { command: id.command } }, assignedToCommands)
    // `deal: null` is a deal that was not named, as for a command that makes one.
    const deal = isObject(call.body) ? (call.body.deal ?? undefined) : undefined
    return { ...asked, deal, command: { id: id.command, by: 'id' } }
  },
  body: ({ operation, params, deal }) => ({
    ...(operation.on !== 'nothing' && { deal }),
    action: operation.words.action,
    params,
  }),
  takes: 'AnyCommand',
  reply: 'command',
}
