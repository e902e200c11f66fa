import { dealFields } from '../../model/deal/deal.ts'
import { isObject } from '../../values/members.ts'
import { readEnvelope } from './envelope.ts'
import { DEALS, type Form } from './form.ts'

const fields = Object.keys(dealFields).filter((name) => name !== 'id')

/** PUT …/deals/{id} with action and params */
export const singleUpdate: Form = {
  name: 'single-update',
  title: 'Single update',
  idea: 'One address for everything; the body names the action.',
  routes: [
    {
      method: 'PUT',
      path: `${DEALS}/:id`,
      summary: 'Do an operation, or update the attributes',
      reads: ['application/json'],
    },
  ],
  recognizes: (body) => isObject(body) && Object.hasOwn(body, 'action'),
  read(call) {
    const both = isObject(call.body) ? fields.filter((name) => Object.hasOwn(call.body as object, name)) : []
    if (both.length > 0) {
      const detail = `The body has an action and also ${both.join(', ')}: send either an operation or attributes.`
      return { problem: { code: 'ambiguous-form', detail } }
    }
    return { ...readEnvelope(call.body, { id: { deal: call.params.id } }), deal: call.params.id }
  },
  body: ({ operation, params }) =>
    operation.on === 'nothing' ? undefined : { action: operation.words.action, params },
  takes: 'DealChange',
  reply: 'deal',
}
