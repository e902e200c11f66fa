import { detailOf, orNearest, problemMembers } from '../../http/contract/problems/told-problem.ts'
import { isObject } from '../../values/json/is-object.ts'
import { unknownMembers } from '../../values/members.ts'
import type { DoorCall } from '../door.ts'
import { misplacedWord } from '../kit/around.ts'
import { INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, type RpcError, sentence } from '../kit/json-rpc.ts'
import { handshakes, MODERN, versions } from './protocol.ts'
import { latestThings, readAt, templatesFor } from './thing-resources.ts'
import { listInstructions } from './tool-schemas.ts'
import { callTool, listTools, usableNames } from './tools.ts'

type MethodParams = Readonly<Record<string, unknown>>

/** A result as JSON text, or an error of the protocol. */
export type MethodAnswer = { readonly json: string } | { readonly error: RpcError }

interface McpMethod {
  /** Set for methods that only exist in versions with a handshake, or only in those without. */
  readonly only?: 'handshake' | 'modern'
  /** How long a client may cache the result, in milliseconds; absent if it may not. */
  readonly ttl?: number
  /** The members of its parameters, besides `_meta`. */
  readonly takes: readonly string[]
  readonly answer: (params: MethodParams, call: DoorCall, version: string) => Promise<MethodAnswer> | MethodAnswer
}

/** The tools depend on the schema and the role of the caller, which change seldom. */
const LISTS = 300_000

const PAGE = ['cursor']
/** A server that asks nothing gets no answers. */
const ANSWERS = ['inputResponses', 'requestState']

const methods: ReadonlyMap<string, McpMethod> = new Map<string, McpMethod>([
  ['initialize', { only: 'handshake', takes: ['protocolVersion', 'capabilities', 'clientInfo'], answer: initialize }],
  ['ping', { only: 'handshake', takes: [], answer: () => ({ json: '{}' }) }],
  ['server/discover', { only: 'modern', ttl: LISTS, takes: [], answer: discover }],
  [
    'tools/list',
    { ttl: LISTS, takes: PAGE, answer: (params, call) => whole(params, `{"tools":[${listTools(call)}]}`) },
  ],
  // A server without tasks should ignore `task`.
  ['tools/call', { takes: ['name', 'arguments', 'task', ...ANSWERS], answer: tool }],
  ['resources/list', { ttl: 0, takes: PAGE, answer: things }],
  [
    'resources/templates/list',
    { ttl: LISTS, takes: PAGE, answer: (params, call) => whole(params, templatesFor(call)) },
  ],
  ['resources/read', { ttl: 0, takes: ['uri', ...ANSWERS], answer: thing }],
])

/** Answers a request in its version. */
export async function callMcp(name: string, params: unknown, version: string, call: DoorCall): Promise<MethodAnswer> {
  const isModern = version === MODERN
  const method = methods.get(name)
  if (method === undefined || method.only === (isModern ? 'handshake' : 'modern')) {
    return failed(METHOD_NOT_FOUND, `There is no method ${name}${orNearest(name, methods.keys())}`)
  }
  const named = params ?? {}
  if (!isObject(named)) return failed(INVALID_PARAMS, 'params must be an object.')
  const [unknown] = unknownMembers(named, [...method.takes, '_meta'])
  if (unknown !== undefined) return failed(INVALID_PARAMS, sentence(unknown))
  const answer = await method.answer(named, call, version)
  return 'error' in answer || !isModern ? answer : { json: complete(answer.json, method, call) }
}

/** Since 2026-07-28 a result says what it is, who it is from, and how long it may be cached. */
function complete(json: string, { ttl }: McpMethod, call: DoorCall): string {
  const head = {
    resultType: 'complete',
    ...(ttl !== undefined && { ttlMs: ttl, cacheScope: 'private' }),
    _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo(call) },
  }
  return `${JSON.stringify(head).slice(0, -1)},${json.slice(1)}`
}

const serverInfo = ({ service }: DoorCall) => ({ name: 'dealdesk', title: 'Dealdesk', version: service.version })

const capabilities = { tools: {}, resources: {} }

const instructions = `Customers, deals, and what is done with deals. Search or list first to find ids. ${listInstructions} A change answers with the thing after it. A refusal says why, and what is allowed instead: do not repeat it unchanged. Every tool that changes something takes dryRun (true: every check, and the result is shown, but nothing is stored), expectedRevision (refused if the revision is another, so that nobody else is overwritten) and commandId (an id of your choice, 1 to 128 of A-Z a-z 0-9 . _ ~ -: however often it is sent, it is done once). Resources are the latest 50 things; the templates lead to any.`

function initialize({ protocolVersion }: MethodParams, call: DoorCall): MethodAnswer {
  if (typeof protocolVersion !== 'string') return failed(INVALID_PARAMS, 'protocolVersion must be a text.')
  const agreed = handshakes.find((each) => each === protocolVersion) ?? handshakes[0]
  return json({ protocolVersion: agreed, capabilities, serverInfo: serverInfo(call), instructions })
}

function discover(): MethodAnswer {
  return json({ supportedVersions: versions, capabilities, instructions })
}

async function tool(params: MethodParams, call: DoorCall): Promise<MethodAnswer> {
  const { name, arguments: parameters = {} } = params
  if (typeof name !== 'string') return failed(INVALID_PARAMS, 'name must be a text.')
  const word = misplacedWord(params._meta)
  if (word !== undefined) return failed(INVALID_PARAMS, `${word} belongs among the arguments.`)
  if (!isObject(parameters)) return failed(INVALID_PARAMS, 'arguments must be an object.')
  const result = await callTool(name, parameters, call)
  if (result !== undefined) return { json: result }
  return failed(INVALID_PARAMS, `Unknown tool: ${name}${orNearest(name, usableNames(call))}`)
}

async function things({ cursor }: MethodParams, call: DoorCall): Promise<MethodAnswer> {
  if (cursor !== undefined) return badCursor
  const read = await latestThings(call)
  if (!('problem' in read)) return read
  return failed(INTERNAL_ERROR, detailOf(read.problem), problemMembers(read.problem, call.service.addresses))
}

async function thing({ uri }: MethodParams, call: DoorCall, version: string): Promise<MethodAnswer> {
  if (typeof uri !== 'string') return failed(INVALID_PARAMS, 'uri must be a text.')
  const read = await readAt(uri, call)
  if (read !== undefined && 'json' in read) return read
  const problem = read && problemMembers(read.problem, call.service.addresses)
  // Until 2025-11-25 it had its own code.
  const code = version === MODERN ? INVALID_PARAMS : -32002
  return failed(code, `Resource not found: ${problem?.detail ?? uri}`, { uri, ...problem })
}

/** A list of one page. */
const whole = ({ cursor }: MethodParams, text: string): MethodAnswer =>
  cursor === undefined ? { json: text } : badCursor

const json = (value: object): MethodAnswer => ({ json: JSON.stringify(value) })

const failed = (code: number, message: string, data?: object): { readonly error: RpcError } => ({
  error: { code, message, ...(data && { data }) },
})

const badCursor = failed(INVALID_PARAMS, 'cursor must be a nextCursor of this list.')
