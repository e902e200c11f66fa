import type { Resource, Schema } from '../../../../model/declaration/schema.ts'
import { stateFields } from '../../../../model/perform/change.ts'
import { representations } from '../../../../representations/representations.ts'
import { batchBounds, problemBounds } from '../../../../values/bounds.ts'
import { faultCodes, KEPT } from '../../../../values/faults/fault-codes.ts'
import type { JsonSchema } from '../../../../values/kinds/kind.ts'
import { ordinal } from '../../../../values/kinds/number.ts'
import { instant } from '../../../../values/kinds/time.ts'
import { uuid } from '../../../../values/kinds/uuid.ts'
import { objectSchema } from '../../../../values/members.ts'
import { STATUS_CODES } from '../../../connection/node-http.ts'
import { parts } from '../../../contract/problems/problem.ts'
import { type ProblemCode, problemType, problemTypes } from '../../../contract/problems/problem-types.ts'
import { addressText, anyId, count, kindSchema, limited, ownText, reference } from './schema.ts'

export const codeSchema = (schema: Schema): JsonSchema => ({ type: 'string', enum: codesIn(schema) })
export const status: JsonSchema = { type: 'integer', format: 'int32', minimum: 400, maximum: 599 }
const detail = ownText(problemBounds.detail)

const hasStates = (resource: Resource): boolean => resource.operations.some(({ allowed }) => allowed.length > 0)

const stateOf = (resource: Resource): JsonSchema => ({
  ...objectSchema(
    Object.fromEntries(
      stateFields(resource).map((name) => [name, kindSchema(resource.kinds[name]?.schema ?? {}, resource.schema)]),
    ),
  ),
  description: `wrong-state: the state of the ${resource.name}.`,
})

/** One of the `errors`. */
const fault: JsonSchema = {
  ...objectSchema(
    {
      pointer: ownText(500),
      parameter: ownText(500),
      header: ownText(100),
      code: { type: 'string', enum: Object.keys(faultCodes).filter((each) => each !== KEPT) },
      with: {
        type: 'object',
        description: 'The facts of the fault, such as the largest value, as far as there are any.',
        maxProperties: 20,
        additionalProperties: {},
      },
      detail,
    },
    ['detail'],
  ),
  description: 'What is wrong, and where. A refusal that an earlier release kept has no code.',
}

export const problemSchema = (schema: Schema): JsonSchema => ({
  ...objectSchema(
    {
      type: { ...addressText, description: 'A page that explains the problem.' },
      title: ownText(200),
      status,
      detail,
      code: codeSchema(schema),
      instance: { type: 'string', format: 'uri', maxLength: 200, description: 'The id under which it was logged.' },
      errors: {
        type: 'array',
        description:
          'One entry for each fault, at most 50; the detail says how many more there are; `pointer` is a JSON pointer into the body that was sent.',
        maxItems: problemBounds.faults,
        items: fault,
      },
      operation: { ...reference('OperationName'), description: 'wrong-state: what was asked for.' },
      ...Object.fromEntries(schema.resources.filter(hasStates).map((resource) => [resource.name, stateOf(resource)])),
      allowed: {
        type: 'array',
        description: 'wrong-state: the operations that are allowed now.',
        items: reference('OperationName'),
        maxItems: schema.operations.length,
      },
      field: { ...ownText(64), description: 'not-unique: the field that is unique.' },
      other: {
        oneOf: [limited(uuid.schema), limited(ordinal.schema)],
        description: 'not-unique: the id of the thing that has the value.',
      },
      things: {
        type: 'array',
        description: 'changed-since: what stands in the way, the first 50.',
        items: reference('NamedThing'),
        maxItems: 50,
      },
      usedBy: {
        type: 'array',
        description: 'in-use, customer-in-use: what names it, the first 50.',
        items: reference('NamedThing'),
        maxItems: 50,
      },
      count: { ...count, description: 'in-use: those in it.' },
      part: { ...ownText(100), description: 'in-use: its part.' },
      needed: { type: 'boolean', description: 'in-use: it stays wherever those in it move.' },
      stage: {
        ...ownText(64),
        description: 'wrong-state: the stage of the import; stage-requires, closing: of the deal.',
      },
      pipeline: { ...ownText(64), description: 'stage-requires, closing: of the stage.' },
      fields: {
        type: 'array',
        description: 'stage-requires: the empty fields.',
        items: ownText(64),
        maxItems: 200,
      },
      deletedAt: { ...limited(instant.schema), description: 'deal-deleted: since when.' },
      revision: { ...limited(ordinal.schema), description: 'stale-revision: the current one.' },
      missing: { type: 'string', enum: [...parts], description: 'unavailable: what is missing for an answer.' },
      after: { ...ownText(40), description: 'events-trimmed: the position after which events are kept.' },
      begin: { ...addressText, description: 'events-trimmed: where to begin.' },
      results: {
        type: 'array',
        description: 'batch-refused: every refusal, by the index of its command.',
        items: reference('BatchResult'),
        maxItems: batchBounds.commands,
      },
      versions: { type: 'array', description: 'unknown-version: those there are.', items: ownText(10), maxItems: 20 },
      available: {
        type: 'array',
        description: 'not-acceptable: the representations there are.',
        items: objectSchema({ format: ownText(10), mediaType: ownText(100) }, ['mediaType']),
        maxItems: representations.length,
      },
    },
    ['type', 'title', 'status', 'detail', 'code'],
  ),
  description: 'RFC 9457.',
  xml: { name: 'problem', namespace: 'urn:ietf:rfc:7807' },
})

/** The reason phrase of HTTP, except for the longest, which every operation refers to. */
export const statusName = (status: number): string =>
  (STATUS_CODES[status] ?? `Status ${status}`).replace('Request Header Fields', 'Headers').replace(/\W/g, '')

export const codesWith = (status: number, schema: Schema): readonly ProblemCode[] =>
  codesIn(schema).filter((each) => statusOf(each) === status)

const codesIn = (schema: Schema) => Object.keys(problemTypes(schema)) as ProblemCode[]
const statusOf = (each: ProblemCode): number => problemType(each).status

export const problemName = (status: number): string => `${statusName(status)}Problem`

/** The problems with a status, by name. */
export const problemsByStatus = (schema: Schema): { readonly [name: string]: JsonSchema } =>
  Object.fromEntries(
    [...new Set(codesIn(schema).map(statusOf))].map((status) => [
      problemName(status),
      {
        allOf: [
          reference('Problem'),
          {
            type: 'object',
            properties: {
              status: { type: 'integer', format: 'int32', minimum: status, maximum: status },
              code: { type: 'string', enum: codesWith(status, schema) },
            },
          },
        ],
      },
    ]),
  )

/** A thing that a problem names. */
export const namedThing: JsonSchema = objectSchema({
  on: ownText(40),
  id: anyId,
  name: { ...ownText(10_000), type: ['string', 'null'] },
})
