import { updatable } from '../../model/attributes.ts'
import { customerMembers, patchedMembers } from '../../model/customer/change.ts'
import { dealFields } from '../../model/deal/deal.ts'
import { dealOperations, operations } from '../../model/deal/operations.ts'
import type { Operation } from '../../model/operation.ts'
import { rotationMembers } from '../../model/webhook/rotation.ts'
import { webhookMembers } from '../../model/webhook/webhook.ts'
import { collections } from '../../queries/collections.ts'
import type { Json, JsonSchema } from '../../values/kind.ts'
import { exampleDealId } from './examples.ts'
import { kindSchema, membersObject, objectSchema, ownText, readOnly, reference } from './schema.ts'

/** The name of the schema of an operation's parameters. */
export const paramsName = ({ words }: Operation): string => `${words.action}Params`

const dealId = kindSchema(dealFields.id.schema)
const addressedId: JsonSchema = { ...ownText(128), description: 'What the address names, where the body repeats it.' }

/** Everything that can be sent. */
export function bodySchemas(): { readonly [name: string]: JsonSchema } {
  const attributes = Object.entries(dealFields).map(([name, { schema }]) => [
    name,
    updatable.has(name) ? kindSchema(schema) : readOnly(kindSchema(schema)),
  ])
  return {
    ...Object.fromEntries(operations.map((operation) => [paramsName(operation), paramsSchema(operation)])),
    DealChange: { anyOf: [reference('DealAction'), reference('DealAttributes')] },
    DealAction: {
      description: 'An operation by its name, with its parameters.',
      examples: actionExamples({}),
      oneOf: dealOperations.map((operation) => actionSchema(operation, { id: dealId })),
    },
    DealCommand: {
      description: 'An operation by its name, with its parameters.',
      oneOf: [
        ...dealOperations.map((operation) => actionSchema(operation, { id: addressedId, deal: dealId })),
        reference('Command'),
      ],
    },
    AnyCommand: {
      examples: actionExamples({ deal: exampleDealId }),
      description:
        'An operation by its name, with its parameters and the deal it is for; `CreateDeal` has none. Or a known command as it was read.',
      oneOf: [
        ...operations.map((operation) =>
          operation.on === 'nothing'
            ? actionSchema(operation, { id: addressedId, deal: { type: 'null' } })
            : actionSchema(operation, { id: addressedId, deal: dealId }, ['deal']),
        ),
        reference('Command'),
      ],
    },
    NamedCommand: {
      examples: operations.map(({ on, examples: [params] }) =>
        on === 'nothing' ? params : { id: exampleDealId, ...params },
      ),
      description: 'The parameters of the operation that the address names, with the id of the deal.',
      anyOf: operations.map((operation) =>
        operation.on === 'nothing'
          ? reference(paramsName(operation))
          : {
              allOf: [
                reference(paramsName(operation)),
                { type: 'object', properties: { id: dealId }, required: ['id'] },
              ],
            },
      ),
    },
    DealAttributes: {
      ...objectSchema({ ...Object.fromEntries(attributes), links: ignoredLinks }, []),
      examples: [{ held: true, holdReason: 'credit check', price: 49999.95 }],
      description: 'The deal as it should be: each difference becomes its operation, all or nothing.',
    },
    CustomerBody: { ...membersObject(customerMembers), examples: [exampleCustomer] },
    CustomerReplacement: { ...readAndSentBack(customerMembers, ['name']), examples: [exampleCustomer] },
    CustomerPatch: { ...readAndSentBack(patchedMembers, []), examples: [{ age: 42 }] },
    WebhookBody: {
      ...membersObject(webhookMembers),
      examples: [{ url: 'https://example.com/hooks', types: ['deal.held', 'deal.completed'] }],
    },
    Rotation: { ...membersObject(rotationMembers), examples: [{ overlap: 3600 }] },
    HtmlForm: {
      type: 'object',
      description:
        'The same members as the fields of an HTML form. An empty field is absent. `_revision` stands for If-Match, `_command` for Idempotency-Key.',
      maxProperties: 20,
      additionalProperties: ownText(10_000),
    },
  }
}

const exampleCustomer = { name: 'Ana Ruiz', email: 'ana@example.com', age: 41, children: 2, country: 'ES' }

const actionExamples = (beside: { readonly [name: string]: string }): readonly Json[] =>
  dealOperations.map(({ words, examples: [params] }) => ({ action: words.action, params, ...beside }))

const ignoredLinks = readOnly({ description: 'Ignored, whatever it is.' })

/** What was read can be sent back: the members that the service assigns may stand there, as they are. */
function readAndSentBack(members: typeof customerMembers | typeof patchedMembers, required: readonly string[]) {
  const assigned = ['id', 'createdAt', 'updatedAt', 'revision'] as const
  const own = membersObject(members).properties as { readonly [name: string]: JsonSchema }
  const { fields } = collections.customers
  const given = assigned.map((name) => [name, readOnly(kindSchema(fields.get(name)?.kind.schema ?? {}))])
  return objectSchema({ ...own, ...Object.fromEntries(given), links: ignoredLinks }, required)
}

function paramsSchema(operation: Operation): JsonSchema {
  const { params, examples, title, on } = operation
  const beside = on === 'nothing' ? undefined : { id: { ...dealId, description: 'The deal, where the body names it.' } }
  return { ...membersObject(params, beside), description: title, examples }
}

function actionSchema(
  operation: Operation,
  beside: { readonly [name: string]: JsonSchema },
  required: readonly string[] = [],
): JsonSchema {
  const { name, words, params, title } = operation
  const needed = Object.values(params).some((member) => member.required)
  const schema = objectSchema(
    {
      action: { type: 'string', enum: [words.action, name] },
      params: reference(paramsName(operation)),
      ...beside,
    },
    ['action', ...(needed ? ['params'] : []), ...required],
  )
  return { ...schema, title }
}
