import { forbidden, type Problem } from '../../http/contract/problems/problem.ts'
import { type Action, type Described, vocabularyOf } from '../../http/describe/vocabulary.ts'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import type { AddedField } from '../../model/source/added-field.ts'
import { mapInTurns, slicesOf } from '../../store/port/take-turns.ts'
import { reason } from '../../values/faults/fault.ts'
import { capitalized } from '../../values/kinds/text.ts'
import { unknownMembers } from '../../values/members.ts'
import { mayDo, type Role } from '../../values/role.ts'
import type { DoorCall } from '../door.ts'
import {
  callGet,
  callList,
  callOperation,
  callSearch,
  invalidParams,
  type NamedParams,
  type NamedResult,
} from '../kit/call-by-name.ts'
import { functionName } from '../kit/declaring.ts'
import { orProblem, told } from '../kit/told.ts'
import { type Hints, hintsOn, readingHints } from './hints.ts'
import { DESCRIBE_FIELDS, describeSchemas, getSchemas, listSchemas, schemasOf, searchSchemas } from './tool-schemas.ts'

/** Something that a client can call. */
interface Tool {
  readonly name: string
  /** The role that it needs; it is hidden from others. */
  readonly needs: Role
  /** Its description as JSON text. */
  readonly json: string
  readonly call: (parameters: NamedParams, call: DoorCall) => Promise<NamedResult>
}

const toolsIn = bySchema(
  (schema: Schema): ReadonlyMap<string, Tool> =>
    new Map(
      [searchTool(schema), describeTool(schema), ...vocabularyOf(schema).filter(isWorkedWith).flatMap(toolsOf)].map(
        (tool) => [tool.name, tool],
      ),
    ),
)

/** Assistants work with things, and do not change the model: its tools would take the space of the others. */
const isWorkedWith = ({ resource }: Described): boolean => resource.shapes === undefined

/** The tools that the caller may use, as JSON text, in the same order each time. */
export const listTools = (call: DoorCall): string =>
  usable(call)
    .map(({ json }) => json)
    .join()

export const usableNames = (call: DoorCall): readonly string[] => usable(call).map(({ name }) => name)

const usable = (call: DoorCall): readonly Tool[] =>
  [...toolsIn(call.schema).values()].filter(({ needs }) => mayDo(call, needs))

/** The result of a call as JSON text; undefined if there is no such tool. A refusal is a result with an explanation. */
export async function callTool(name: string, parameters: NamedParams, call: DoorCall): Promise<string | undefined> {
  const tool = toolsIn(call.schema).get(name)
  if (tool === undefined) return undefined
  const result = mayDo(call, tool.needs)
    ? await orProblem(() => tool.call(parameters, call), call)
    : { problem: forbidden(tool.needs, call) }
  if ('problem' in result) return await refused(result.problem, call)
  return `{"content":[${await textContent(result.json)}],"structuredContent":${result.json},"isError":false}`
}

/** A list may be long: its text is written in turns with other requests. */
async function textContent(text: string): Promise<string> {
  const written = await mapInTurns(slicesOf(text), (slice) => JSON.stringify(slice).slice(1, -1))
  return `{"type":"text","text":"${written.join('')}"}`
}

async function refused(problem: Problem, call: DoorCall): Promise<string> {
  const { title, detail, members } = told(problem, call)
  const { allowed } = members
  const ways = Array.isArray(allowed) && allowed.length > 0 ? ` Allowed now: ${allowed.join(', ')}.` : ''
  return `{"content":[${await textContent(`${title}: ${detail}${ways}`)}],"structuredContent":${JSON.stringify(members)},"isError":true}`
}

function toolsOf(described: Described): readonly Tool[] {
  const { resource, actions } = described
  const { name, plural, roles } = resource
  const needs = roles.reads
  const hints = hintsOn(resource)
  return [
    defineTool({
      ...{ name: `list_${plural}`, needs },
      about: {
        title: `List ${plural}`,
        description: `A page of ${plural}, filtered and sorted, or groups of them with sums and counts.`,
        ...listSchemas(described),
        annotations: readingHints,
      },
      call: (parameters, call) => callList(resource, parameters, call),
    }),
    defineTool({
      ...{ name: `get_${name}`, needs },
      about: {
        title: `Read a ${name}`,
        description: `One ${name} by its id, with its revision and its links.`,
        ...getSchemas(described),
        annotations: readingHints,
      },
      call: (parameters, call) => callGet(resource, parameters, call),
    }),
    ...actions.map((action) => operationTool(action, hints(action.operation))),
  ]
}

function operationTool(action: Action, annotations: Hints): Tool {
  const { operation, needs, leaves } = action
  const { on, title, to, examples } = operation
  const name = functionName(operation)
  const isNew = to === 'nothing'
  const said = isNew ? title : `${capitalized(on.name)}: ${title}`
  return defineTool({
    ...{ name, needs },
    about: {
      title: said,
      description: `${said}. Such as ${JSON.stringify(examples[0])}${isNew ? '' : ' with the id'}.`,
      ...schemasOf(action),
      annotations,
    },
    async call(parameters, call) {
      const done = await callOperation(operation, parameters, call)
      if (leaves !== 'nothing' || 'problem' in done) return done
      return { json: JSON.stringify({ id: parameters.id, removed: true }) }
    },
  })
}

function searchTool({ resources }: Schema): Tool {
  return defineTool({
    ...{ name: 'search', needs: 'reader' },
    about: {
      title: 'Search',
      description: `Finds ${resources.map(({ plural }) => plural).join(', ')} by words or by an id, best first.`,
      ...searchSchemas(),
      annotations: readingHints,
    },
    call: callSearch,
  })
}

function describeTool({ resources, fields }: Schema): Tool {
  const on = resources.filter(({ extensible }) => extensible).map(({ name }) => name)
  return defineTool({
    ...{ name: DESCRIBE_FIELDS, needs: 'reader' },
    about: {
      title: 'Describe added fields',
      description: `The fields that were added to ${on.join(', ')}: each with its name, kind and choices. Their values are in own, and filters name them own.NAME.`,
      ...describeSchemas(on),
      annotations: readingHints,
    },
    async call({ on: asked, ...rest }) {
      const faults = unknownMembers(rest, ['on'])
      if (faults.length > 0) return invalidParams(faults)
      if (asked !== undefined && !on.some((name) => name === asked))
        return invalidParams([{ ...reason('not-one-of', { values: on }), at: { pointer: '/on' } }])
      const live = fields.filter(({ retiredAt = null }) => retiredAt === null)
      const told = live.filter((field) => asked === undefined || field.on === asked)
      return { json: JSON.stringify({ items: told.map(describedField) }) }
    },
  })
}

/** The members that an assistant needs to read and set values: there may be hundreds of fields. */
const describedField = ({ on, name, title, kind, options, required, unique, searched, help }: AddedField) => ({
  ...{ on, name, title, kind, options, required, unique, searched },
  ...(help && { help }),
})

function defineTool({ about, ...tool }: Omit<Tool, 'json'> & { readonly about: object }): Tool {
  return { ...tool, json: JSON.stringify({ name: tool.name, ...about }) }
}
