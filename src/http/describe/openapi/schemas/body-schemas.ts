import type { Params } from '../../../../model/declaration/operation.ts'
import { membersToCreate } from '../../../../model/declaration/resource.ts'
import type { Operation, Resource, Schema } from '../../../../model/declaration/schema.ts'
import { updatableFields } from '../../../../model/intent/attributes.ts'
import { correctionMembers } from '../../../../model/intent/correction.ts'
import { invitationMembers, setUpMembers, signInMembers } from '../../../../model/nouns/user/sign-in.ts'
import { upsertAction } from '../../../../model/perform/content.ts'
import { operationsOnExisting } from '../../../../model/schema/resources.ts'
import { batchBounds } from '../../../../values/bounds.ts'
import type { Json } from '../../../../values/json/json.ts'
import type { JsonSchema } from '../../../../values/kinds/kind.ts'
import { objectSchema, propertiesOf } from '../../../../values/members.ts'
import { paramsName } from '../../../contract/description.ts'
import { bodyName, hasForm } from '../../../contract/form.ts'
import { shapeOf } from '../../vocabulary.ts'
import { count, kindSchema, membersObject, ownText, readOnly, reference } from './schema.ts'

const idOf = ({ kinds, schema }: Resource): JsonSchema => kindSchema(kinds.id?.schema ?? {}, schema)
const addressedId: JsonSchema = reference('AddressedId')

const targetSchema: JsonSchema = {
  ...count,
  ...ownText(36),
  type: ['string', 'integer', 'object', 'null'],
  maxProperties: 1,
  description:
    'The id of the thing, its unique value (`{"reference": "A-0004"}`), or `$` with the index of the earlier command that is about it.',
}

/** A thing by one of its unique values. */
const namedSchema = ({ uniques, kinds, schema }: Resource): JsonSchema => ({
  type: 'object',
  description: 'The thing by a value that no other has.',
  properties: Object.fromEntries(uniques.map((field) => [field, kindSchema(kinds[field]?.schema ?? {}, schema)])),
  minProperties: 1,
  maxProperties: 1,
  additionalProperties: false,
})

function nameBodies(resource: Resource): readonly (readonly [string, JsonSchema])[] {
  const name = bodyName(resource, 'Name')
  return [
    [name, namedSchema(resource)],
    [bodyName(resource, 'Target'), { oneOf: [idOf(resource), reference(name)] }],
  ]
}

const targetOf = (resource: Resource): JsonSchema =>
  resource.uniques.length === 0 ? idOf(resource) : reference(bodyName(resource, 'Target'))

/** Creates the thing that has a unique value, or changes it. */
const upsertSchema = (resource: Resource): JsonSchema => ({
  title: `Create or change the ${resource.name} with a unique value`,
  ...objectSchema(
    {
      action: { type: 'string', enum: [upsertAction(resource), 'upsert'] },
      params: reference(bodyName(resource, 'Attributes')),
      id: addressedId,
      [resource.name]: reference(bodyName(resource, 'Name')),
    },
    ['action', resource.name],
  ),
})

const batchExample: Json = {
  atomic: true,
  commands: [
    { action: 'CreateCustomer', params: { name: 'Ann' } },
    { action: 'CreateDeal', params: { name: 'Roof repair', price: 1200, customerId: '$0' } },
    { deal: '$1', action: 'HoldDeal', params: { reason: 'credit check' } },
  ],
}

/** The schemas of request bodies. */
export function bodySchemas(schema: Schema): { readonly [name: string]: JsonSchema } {
  const { operations, resources } = schema
  return {
    ...Object.fromEntries(operations.map((operation) => [paramsName(operation), paramsSchema(operation)])),
    ...Object.fromEntries(resources.flatMap(resourceBodies)),
    ...Object.fromEntries(resources.filter(({ uniques }) => uniques.length > 0).flatMap(nameBodies)),
    AnyCommand: {
      examples: operations.slice(0, 3).map((operation) => ({ ...about(operation), ...action(operation) })),
      description:
        'An operation by its name, with its parameters and the thing it is for; one that makes something has none. Or a known command as it was read.',
      oneOf: [
        ...operations.map((operation) =>
          operation.to === 'nothing'
            ? actionSchema(operation, { id: addressedId, [operation.on.name]: { type: 'null' } })
            : actionSchema(operation, { id: addressedId, [operation.on.name]: targetOf(operation.on) }, [
                operation.on.name,
              ]),
        ),
        ...resources.filter(({ uniques }) => uniques.length > 0).map(upsertSchema),
        reference('Command'),
      ],
    },
    Batch: {
      ...objectSchema(
        {
          atomic: {
            type: 'boolean',
            description: 'Whether all take effect in one commit or none. Otherwise each for itself.',
          },
          commands: { type: 'array', maxItems: batchBounds.commands, items: reference('BatchCommand') },
        },
        ['commands'],
      ),
      examples: [batchExample],
    },
    BatchCommand: {
      description: 'An operation by its name, with its parameters and the thing it is for.',
      ...objectSchema(
        {
          id: { ...ownText(128), pattern: '^[A-Za-z0-9._~-]+$', description: 'Under an id a command is decided once.' },
          ...Object.fromEntries(resources.map(({ name }) => [name, targetSchema])),
          action: { ...ownText(100), description: 'Such as `HoldDeal`.' },
          params: { type: 'object', maxProperties: 50 },
          revision: {
            ...count,
            minimum: 1,
            description: 'The revision that the thing must have.',
          },
        },
        ['action'],
      ),
    },
    NamedCommand: {
      examples: operations
        .slice(0, 3)
        .map(({ to, on, examples: [params] }) =>
          to === 'nothing' ? params : { id: on.example.id as Json, ...params },
        ),
      description: 'The parameters of the operation that the address names, with the id of what it is done to.',
      anyOf: [
        ...operations.map((operation) =>
          operation.to === 'nothing'
            ? reference(paramsName(operation))
            : {
                allOf: [
                  reference(paramsName(operation)),
                  { type: 'object', properties: { id: targetOf(operation.on) }, required: ['id'] },
                ],
              },
        ),
        ...resources
          .filter(({ uniques }) => uniques.length > 0)
          .map((resource) => {
            const { properties } = attributesSchema(resource, NOTHING)
            return objectSchema({ ...(properties as object), id: reference(bodyName(resource, 'Name')) }, ['id'])
          }),
      ],
    },
    ...Object.fromEntries(
      schema.audited.flatMap(({ operations: own }) => own.flatMap((each) => auditedBody(each, schema))),
    ),
    NewCorrection: { ...membersObject(correctionMembers, schema), examples: [{ from: 'Mila S.', to: 'mila' }] },
    SignIn: { ...membersObject(signInMembers, schema), examples: [{ name: 'mila', password: 'four words in a row' }] },
    Acceptance: { ...membersObject(invitationMembers, schema), examples: [{ password: 'four words in a row' }] },
    SetUp: {
      ...membersObject(setUpMembers, schema),
      examples: [{ code: '0f3a5c7e9b1d2f4a6c8e', name: 'mila', password: 'four words in a row' }],
    },
    HtmlForm: {
      type: 'object',
      description:
        'The same members as the fields of an HTML form. An empty field is absent. `_revision` stands for If-Match, `_command` for Idempotency-Key; amounts are read as the region `_region` writes them, such as de-DE; `_crlf[]` names a field whose lines end with CRLF, not LF; `_return` is a path of the service that the answer leads a browser to.',
      maxProperties: 20,
      additionalProperties: ownText(10_000),
    },
  }
}

function auditedBody({ body, params }: Operation, schema: Schema): readonly (readonly [string, JsonSchema])[] {
  if (body === undefined) return []
  const { name, ...about } = body
  return [[name, { ...membersObject(params, schema), ...about }]]
}

function resourceBodies(resource: Resource): readonly (readonly [string, JsonSchema])[] {
  const existing = operationsOnExisting(resource)
  const id = idOf(resource)
  const attributes = [bodyName(resource, 'Attributes'), attributesSchema(resource, NOTHING)] as const
  const replacement = [bodyName(resource, 'Replacement'), attributesSchema(resource, demandedOf(resource))] as const
  const parameters = [
    bodyName(resource, 'Parameters'),
    {
      description: 'The parameters of the operation that the address names.',
      examples: existing.slice(0, 3).map(({ examples }) => examples[0]),
      anyOf: existing.map((operation) => reference(paramsName(operation))),
    },
  ] as const
  if (!hasForm(resource, 'single-update')) return [attributes, replacement, parameters]
  return [
    attributes,
    parameters,
    [
      bodyName(resource, 'Change'),
      { anyOf: [reference(bodyName(resource, 'Action')), reference(bodyName(resource, 'Attributes'))] },
    ],
    [
      bodyName(resource, 'Action'),
      {
        description: 'An operation by its name, with its parameters.',
        examples: existing.slice(0, 3).map(action),
        oneOf: existing.map((operation) => actionSchema(operation, { id })),
      },
    ],
    [
      bodyName(resource, 'Command'),
      {
        description: 'An operation by its name, with its parameters.',
        oneOf: [
          ...existing.map((operation) => actionSchema(operation, { id: addressedId, [resource.name]: id })),
          reference('Command'),
        ],
      },
    ],
  ]
}

const NOTHING: ReadonlySet<string> = new Set()

const demandedOf = (resource: Resource): ReadonlySet<string> =>
  new Set(Object.entries(membersToCreate(resource)).flatMap(([name, { required }]) => (required ? [name] : [])))

/** A thing can be sent as it was read: members that the service assigns are allowed with their current values. */
function attributesSchema(resource: Resource, demanded: ReadonlySet<string>): JsonSchema {
  const updatable = updatableFields(resource)
  const { properties, required } = propertiesOf(
    shapeOf(resource),
    ({ name, member: { kind } }) => {
      const schema = kindSchema(kind.schema, resource.schema)
      return updatable.has(name) ? schema : readOnly(schema)
    },
    ({ name }) => demanded.has(name),
  )
  const [example] = resource.operations.flatMap(({ fromAttributes, differences, examples }) =>
    fromAttributes !== undefined && differences ? [examples[0]] : [],
  )
  return {
    ...objectSchema({ ...properties, links: ignoredLinks }, required),
    examples: [required.length > 0 ? shownExample(resource) : (example ?? { owner: 'Mila Sanz' })],
    description: `The ${resource.name} as it should be: each difference becomes its operation, all or nothing.`,
  }
}

/** The example as clients see it, without its id. */
function shownExample({ example, kinds }: Resource): Params {
  const members = Object.entries(example).filter(([name]) => name !== 'id')
  return Object.fromEntries(members.map(([name, value]) => [name, kinds[name]?.write(value) ?? null]))
}

const action = ({ words, examples: [params] }: Operation) => ({ action: words.action, params })

const about = ({ to, on }: Operation): { readonly [name: string]: Json } =>
  to === 'nothing' ? {} : { [on.name]: on.example.id as Json }

const ignoredLinks = readOnly({ description: 'Ignored, whatever it is.' })

function paramsSchema(operation: Operation): JsonSchema {
  const { params, examples, title, on, to } = operation
  const named = { id: { ...targetOf(on), description: `The ${on.name}, where the body names it.` } }
  return { ...membersObject(params, on.schema, to === 'nothing' ? undefined : named), description: title, examples }
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
