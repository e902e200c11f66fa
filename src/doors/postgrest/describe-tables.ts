import type { Service } from '../../http/contract/endpoint.ts'
import type { Resource, Schema } from '../../model/schema.ts'
import { functionName } from '../kit/names.ts'

/** What the root answers: the tables and functions as OpenAPI, as far as tools need it that read PostgREST's. */
export const describeTables = ({ resources, operations }: Schema, { version, addresses: { base } }: Service): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Dealdesk, as PostgREST has it', version },
    servers: [{ url: `${base}/postgrest` }],
    paths: Object.fromEntries([
      ...resources.map((resource) => [`/${resource.plural}`, tablePath(resource)]),
      ...operations.map((operation) => [
        `/rpc/${functionName(operation)}`,
        { post: { tags: [`(rpc) ${operation.on.name}`], summary: operation.title, responses: answers } },
      ]),
    ]),
    components: { schemas: Object.fromEntries(resources.map((resource) => [resource.plural, rowSchema(resource)])) },
  })

const answers = { default: { description: 'The rows, or an error with code, message, details and hint.' } }

const tablePath = ({ plural }: Resource): object =>
  Object.fromEntries(
    ['get', 'post', 'patch', 'delete'].map((method) => [method, { tags: [plural], responses: answers }]),
  )

const rowSchema = ({ kinds }: Resource): object => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(kinds).map(([name, { schema }]) => [name, schema])),
})
