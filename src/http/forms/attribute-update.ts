import { attributesFor } from '../../model/attributes.ts'
import { bare, DEALS, type Form } from './form.ts'

/** PUT or PATCH …/deals/{id} with the fields of the deal as they should be */
export const attributeUpdate: Form = {
  name: 'attribute-update',
  title: 'Attribute update',
  idea: 'Only how the deal should be; the service finds the operation.',
  routes: [
    {
      method: 'PUT',
      path: `${DEALS}/:id`,
      summary: 'Do an operation, or update the attributes',
      reads: ['application/json'],
    },
    {
      method: 'PATCH',
      path: `${DEALS}/:id`,
      summary: 'Update attributes',
      reads: ['application/merge-patch+json', 'application/json'],
    },
  ],
  read: (call) => ({
    deal: call.params.id,
    change: { attributes: call.body ?? {} },
    pointers: bare,
    faults: [],
  }),
  body: ({ operation, params }) => attributesFor(operation, params),
  takes: 'DealAttributes',
  reply: 'deal',
}
