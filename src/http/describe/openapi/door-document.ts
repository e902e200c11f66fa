import type { Operation, Schema } from '../../../model/declaration/schema.ts'
import type { Json } from '../../../values/json/json.ts'
import type { JsonSchema } from '../../../values/kinds/kind.ts'
import type { DescribedDoor, DoorRequest } from '../../contract/described-door.ts'
import { paramsName } from '../../contract/description.ts'

type Written = Record<string, Record<string, JsonSchema>>

/** A target that no value is equal to: it becomes the parameter of a path. */
const ID = 'ID-OF-THE-THING'

/** The addresses of a door with a request for each operation; its own protocol describes the rest of it. */
export function doorPaths(door: DescribedDoor, schema: Schema): Written {
  const paths: Written = {}
  add(paths, door.first, { operationId: 'first', summary: door.idea })
  for (const operation of schema.operations) {
    const [params = {}] = operation.examples
    const request = door.request({ operation, params, target: ID, command: 'pay-0001' })
    if (request !== undefined) add(paths, request, describedOperation(operation, request), operation.words.action)
  }
  return paths
}

const describedOperation = (operation: Operation, { path }: DoorRequest): JsonSchema => ({
  operationId: operation.words.action.charAt(0).toLowerCase() + operation.words.action.slice(1),
  summary: operation.title,
  description: `Its parameters are those of \`${paramsName(operation)}\` in /openapi.json.`,
  tags: [operation.on.plural],
  ...(path.includes(ID) && { parameters: [idParameter] }),
})

const idParameter: JsonSchema = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the thing.',
  schema: { type: 'string', maxLength: 40, pattern: '^[\\w-]+$' },
}

/** Several operations may share an address: each is an example of its body. */
function add(paths: Written, request: DoorRequest, described: JsonSchema, name = 'first'): void {
  const path = request.path.split('?', 1)[0]?.replaceAll(ID, '{id}') ?? request.path
  const method = request.method.toLowerCase()
  paths[path] ??= {}
  const known = paths[path][method]
  const type = Object.entries(request.headers ?? {}).find(([header]) => /^content-type$/i.test(header))?.[1]
  const before = known?.requestBody as { readonly content: Record<string, { readonly examples?: object }> } | undefined
  const examples = {
    ...(type === undefined ? {} : before?.content[type]?.examples),
    [name]: { value: bodyOf(request) },
  }
  paths[path][method] = {
    ...(known ?? { ...described, responses: { default: { description: 'As the protocol has it.' } } }),
    ...(type !== undefined &&
      request.body !== undefined && {
        requestBody: { required: true, content: { [type]: { schema: { type: 'object' }, examples } } },
      }),
  }
}

const bodyOf = ({ body }: DoorRequest): Json =>
  body === undefined ? null : (JSON.parse(JSON.stringify(body).replaceAll(ID, '{id}')) as Json)
