import { header, type Service } from '../../http/contract/endpoint.ts'
import { type Shape, vocabularyOf } from '../../http/describe/vocabulary.ts'
import { fixedContent } from '../../http/negotiate/fixed-content.ts'
import { readKnownParameters } from '../../http/request/known-parameters.ts'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Resource, Schema } from '../../model/declaration/schema.ts'
import { collectionOf } from '../../queries/collections.ts'
import type { DoorAnswer, DoorCall, OpenRoom, Room } from '../door.ts'
import { functionName } from '../kit/declaring.ts'
import { fixedAnswer } from '../kit/tags.ts'
import { callFunction } from './call-function.ts'
import { refused, tellProblem } from './errors.ts'
import { insertRows, putRow } from './rows/insert-rows.ts'
import { readRows } from './rows/read-rows.ts'
import { deleteRows, updateRows } from './rows/write-rows.ts'

export const openRoom: OpenRoom = (service) => {
  const description = bySchema((schema: Schema) => fixedContent(describeTables(schema, service)))
  return {
    async answer(call) {
      const profile = header(
        call,
        call.method === 'GET' || call.method === 'HEAD' ? 'accept-profile' : 'content-profile',
      )
      if (profile !== undefined && profile.trim() !== SCHEMA) return noSchema(profile)
      if (call.params.table ?? call.params.function) return answerPostgrest(call)
      const read = readKnownParameters(call.query, [])
      if ('problem' in read) return read
      return fixedAnswer(description(call.schema), 'application/openapi+json; charset=utf-8', call)
    },
    tell: tellProblem,
  }
}

/** All tables are in one schema, which has the name that PostgREST expects. */
const SCHEMA = 'public'

const noSchema = (name: string): DoorAnswer =>
  refused({
    status: 406,
    code: 'PGRST106',
    message: `Invalid schema: ${name.slice(0, 64)}`,
    hint: `Only the following schemas are exposed: ${SCHEMA}`,
  })

async function answerPostgrest(call: DoorCall): ReturnType<Room['answer']> {
  const { table, function: name } = call.params
  const { operations, resources } = call.schema
  const operation = operations.find((each) => functionName(each) === name)
  if (operation !== undefined) return callFunction(operation, call)
  const resource = resources.find(({ plural }) => plural === table)
  if (resource === undefined) throw new Error(`no table is at ${call.path}`)
  switch (call.method) {
    case 'POST':
      return insertRows(resource, call)
    case 'PUT':
      return putRow(resource, call)
    case 'PATCH':
      return updateRows(resource, call)
    case 'DELETE':
      return deleteRows(resource, call)
    default:
      return readRows(collectionOf(resource), call)
  }
}

/** The root: the tables and functions as OpenAPI, as far as tools that read PostgREST's need it. */
export function describeTables(schema: Schema, { version, addresses: { base } }: Service): string {
  const vocabulary = vocabularyOf(schema)
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Dealdesk, as PostgREST has it', version },
    servers: [{ url: `${base}/postgrest` }],
    paths: Object.fromEntries([
      ...vocabulary.map(({ resource }) => [`/${resource.plural}`, tablePath(resource)]),
      ...vocabulary
        .flatMap(({ actions }) => actions)
        .map(({ operation }) => [
          `/rpc/${functionName(operation)}`,
          { post: { tags: [`(rpc) ${operation.on.name}`], summary: operation.title, responses: answers } },
        ]),
    ]),
    components: {
      schemas: Object.fromEntries(vocabulary.map(({ resource, shape }) => [resource.plural, rowSchema(shape)])),
    },
  })
}

const answers = { default: { description: 'The rows, or an error with code, message, details and hint.' } }

const tablePath = ({ plural }: Resource): object =>
  Object.fromEntries(
    ['get', 'post', 'put', 'patch', 'delete'].map((method) => [method, { tags: [plural], responses: answers }]),
  )

function rowSchema({ plain, groups }: Shape): object {
  const inside = groups.map(({ name, places }) => [name, { type: 'object', properties: schemasOf(places) }])
  return { type: 'object', properties: { ...schemasOf(plain), ...Object.fromEntries(inside) } }
}

const schemasOf = (places: Shape['plain']): object =>
  Object.fromEntries(places.map(({ key, member: { kind } }) => [key, kind.schema]))
