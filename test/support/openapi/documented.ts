import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { doorAt, doors } from '../../../src/doors/doors.ts'
import { addressesAt } from '../../../src/http/contract/addresses.ts'
import { documentedPath, openApiDocument } from '../../../src/http/describe/openapi/document.ts'
import type { Collection } from '../../../src/queries/collection.ts'
import { filterParameters } from '../../../src/queries/dialects/filter-parameters.ts'
import { settingNamed, settingNames } from '../../../src/queries/settings.ts'
import { representations } from '../../../src/representations/representations.ts'
import { endpointsOf } from '../../../src/service/endpoints.ts'
import { onceFor } from '../../../src/values/memoize.ts'
import { schema } from '../schema.ts'

/** A request and its answer, as they went over the wire. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly type: string | undefined
  readonly body: string
  readonly answer: { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }
}

interface Part {
  readonly [name: string]: Part
}
export type OpenApi = Part & { readonly paths: { readonly [path: string]: Part } }

/** The document as a text; to make it takes many times as long as to parse it, so the setup of a run makes it once. */
export const openApiText = (): string =>
  JSON.stringify(openApiDocument(schema, endpointsOf(schema), { version: '0.0.0', addresses: addressesAt(''), doors }))

const { TEST_OPENAPI: made } = process.env
export const openApi = JSON.parse(made === undefined ? openApiText() : readFileSync(made, 'utf8')) as OpenApi

const strictly = validator(false)
const asText = validator(true)

/** Compiles a schema of the document. */
function validator(coerceTypes: boolean): (schema: object) => Validate {
  // That each schema of the document is one, openapi.test.ts looks at once.
  // Every file compiles what it needs and runs it a few times: code that is not optimized is there sooner.
  const quick = { code: { optimize: false }, inlineRefs: false }
  const ajv = new Ajv2020({ strict: false, validateSchema: false, coerceTypes, ...quick })
  formats.default(ajv)
  const added = new Set<string>()
  /** Only what a schema refers to is added: to look through the whole document takes as long as to start a service. */
  const local = (schema: object): object => {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"doc#/')
    for (const [, pointer = ''] of text.matchAll(/"\$ref":"doc#\/([^"]+)"/g)) {
      if (added.has(pointer)) continue
      added.add(pointer)
      ajv.addSchema(local(at(pointer)), `doc#/${pointer}`)
    }
    return JSON.parse(text) as object
  }
  return (schema) => ajv.compile(local(schema))
}

/** What the document does not say of an exchange, or nothing when it says all of it. */
export function undocumented(exchange: Exchange): string | undefined {
  const { method, path } = exchange
  const answer = withoutNotice(exchange.answer)
  const bare = path.split('?', 1)[0] ?? ''
  // A door has a protocol of its own, with its own description.
  if (doorAt(bare, doors) !== undefined) return undefined
  const template = templateFor(method, bare)
  if (isLedToTheDoor(answer) || (template === undefined && isLedOn(answer, bare))) return undefined
  if (template === undefined && forPages.some((own) => bare.startsWith(own)))
    return answer.headers['set-cookie'] !== undefined && !/^\/(sign-in\/|(reporting-currency|day|theme)$)/.test(bare)
      ? strangeCookie
      : undefined
  if (template === undefined) return elsewhere(answer, [400, 401, 403, 404, 406, 414, 421, 429, 503])
  const asked = openApi.paths[template]?.[nameIn(method)]
  if (asked === undefined)
    return method === 'OPTIONS' ? undefined : elsewhere(answer, [400, 401, 403, 405, 413, 414, 415, 421, 429, 503])
  const others = answersAskedFor(asked, exchange)
  const response =
    resolve(asked.responses?.[answer.status]) ?? (answer.status === 200 ? trialOf(asked, others) : undefined)
  if (response === undefined) return `${template} says nothing of status ${answer.status}`
  const pointer = pointerOf(asked.responses?.[answer.status], `paths/${escaped(template)}`)
  return (
    wrongHeader(response, answer.headers, method === 'POST' && template === '/sign-in') ??
    (method === 'HEAD' ? undefined : wrongBody(response, pointer, exchange, others)) ??
    (answer.status < 300 ? wrongRequest(asked, template, exchange) : undefined)
  )
}

/** What only pages send to leads to a page that tells what was done, and that page clears the cookie. */
function withoutNotice(answer: Exchange['answer']): Exchange['answer'] {
  const { 'set-cookie': cookies = [], ...headers } = answer.headers
  const others = cookies.filter(
    (each) => !each.startsWith(answer.status === 303 ? 'dealdesk_done=' : 'dealdesk_done=;'),
  )
  return { ...answer, headers: { ...headers, ...(others.length > 0 && { 'set-cookie': others }) } }
}

/** A person who is not signed in is led to a page; the document is for programs. */
const isLedToTheDoor = ({ status, headers }: Exchange['answer']): boolean =>
  status === 303 &&
  headers['set-cookie'] === undefined &&
  /\/(sign-in(\?return=.*)?|set-up)$/.test(headers.location ?? '')

/** So is a person whose address lacks its beginning. */
const isLedOn = ({ status, headers }: Exchange['answer'], path: string): boolean =>
  status === 303 && (headers.location ?? '').split('?', 1)[0]?.endsWith(path) === true

/** HEAD is answered like GET; OpenAPI 3.1 has no name for QUERY. */
const nameIn = (method: string): string => ({ HEAD: 'get', QUERY: 'x-query' })[method] ?? method.toLowerCase()

/** What is wrong with a value by a schema of the document, or nothing. */
export const validates = (pointer: string, value: unknown): string | undefined => faultsAt(pointer, value)

/** Where there is no operation to look at: a problem, as everywhere. */
function elsewhere({ status, headers, text }: Exchange['answer'], statuses: readonly number[]): string | undefined {
  if (headers['set-cookie'] !== undefined) return strangeCookie
  if (!statuses.includes(status)) return `status ${status} is not one for an address without such an operation`
  if (!/^application\/problem\+json/.test(headers['content-type'] ?? '') || text === '') return undefined
  return faultsAt('components/schemas/Problem', JSON.parse(text))
}

/** What only pages load or send to is in no document. */
const forPages = endpointsOf(schema)
  .filter(({ forPeople }) => forPeople)
  .map(({ path }) => path.replace(/:.*/, ''))

/** By how many segments they have: a path is compared with few of them. */
const templates = Map.groupBy(
  Object.keys(openApi.paths).map((path) => ({ path, segments: segmentsOf(path) })),
  ({ segments }) => segments.length,
)
const suffix = new RegExp(`\\.(${representations.map(({ name }) => name).join('|')})$`)

function templateFor(method: string, path: string): string | undefined {
  const read = method === 'GET' || method === 'HEAD'
  const plain = read && openApi.paths[path] === undefined ? path.replace(suffix, '') : path
  const segments = segmentsOf(plain)
  const fitting = (templates.get(segments.length) ?? []).filter((template) =>
    template.segments.every((segment, at) => fits(segment, segments[at] ?? '')),
  )
  // Where one address is written with and without its slash, each has methods of its own.
  const name = nameIn(method)
  const has = ({ path }: { readonly path: string }) => Number(openApi.paths[path]?.[name] !== undefined)
  // A verb behind an id is one only for the method that has verbs.
  const isVerb = ({ path }: { readonly path: string }) => Number(path.includes('}:{') && has({ path }) === 1)
  return fitting.toSorted(
    (a, b) => isVerb(b) - isVerb(a) || parametersIn(a.path) - parametersIn(b.path) || has(b) - has(a),
  )[0]?.path
}

const fits = (template: string, segment: string): boolean =>
  template.includes('}:{') ? /:|%3a/i.test(segment) : template.startsWith('{') || template === segment

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '')
}

const parametersIn = (path: string): number => path.split('{').length

// Of the connection, of negotiation and of safety: the same on every answer.
const everywhere = new Set(
  'connection keep-alive date transfer-encoding content-length content-type content-encoding vary cache-control x-content-type-options content-security-policy referrer-policy cross-origin-resource-policy strict-transport-security cross-origin-opener-policy permissions-policy access-control-expose-headers access-control-allow-credentials x-accel-buffering allow'.split(
    ' ',
  ),
)

const notDocumented = (name: string): string => `the header ${name} is not documented`
const strangeCookie = notDocumented('set-cookie')

/** A sign-in sends a form that was kept: the answer is that of the form's address, with the cookie of the session. */
function wrongHeader(response: Part, headers: IncomingHttpHeaders, isSignIn: boolean): string | undefined {
  const own = isSignIn ? ['set-cookie'] : []
  const known = new Set([...own, ...Object.keys(response.headers ?? {}).map((name) => name.toLowerCase())])
  const unknown = Object.keys(headers).find((name) => !everywhere.has(name) && !known.has(name))
  if (unknown !== undefined) return notDocumented(unknown)
  for (const [name, part] of Object.entries(response.headers ?? {})) {
    // Node gives cookies as a list.
    const value = [headers[name.toLowerCase()] ?? []].flat()[0]
    if (value === undefined) continue
    const header = resolve(part) ?? part
    const fault = faultsOf(header, () => ({ properties: { value: header.schema } }), { value })
    if (fault !== undefined) return `the header ${name}: ${fault}`
  }
  return undefined
}

/** The shapes that the parameters of a request ask for, in place of the usual one. */
function answersAskedFor(asked: Part, { method, path }: Exchange): readonly Part[] {
  const sent = new Set(
    [...new URLSearchParams(path.split('?')[1] ?? '').keys()].map((name) => settingNamed(name) ?? name),
  )
  return Object.entries(asked['x-answers'] ?? {}).flatMap(([parameters, schema]) =>
    // The content of a QUERY has them too.
    method === 'QUERY' || parameters.split(',').some((name) => sent.has(name)) ? [schema] : [],
  )
}

/** A dry run of a creation is answered with 200, with the headers of the usual answer and one of its own. */
function trialOf(asked: Part, [schema]: readonly Part[]): Part | undefined {
  if (schema === undefined) return undefined
  const usual = resolve(asked.responses?.[201] ?? asked.responses?.[202] ?? asked.responses?.[204])
  const trial = { 'Dry-Run': { $ref: '#/components/headers/Dry-Run' } }
  const types = Object.keys(openApi.components?.responses?.DealOK?.content ?? {})
  return {
    headers: { ...usual?.headers, ...trial },
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  } as unknown as Part
}

/** The usual body, or one that was asked for. */
function wrongBody(response: Part, pointer: string, exchange: Exchange, others: readonly Part[]): string | undefined {
  const fault = wrongUsualBody(response, pointer, exchange, others)
  if (fault === undefined || !/[/+]json$/.test(mediaType(exchange.answer.headers['content-type']))) return fault
  const isOther = others.some((schema) => {
    const all = (schema.anyOf ?? [schema]) as unknown as readonly Part[]
    return all.some((each) => faultsAt(pointerOf(each, ''), JSON.parse(exchange.answer.text)) === undefined)
  })
  return isOther ? undefined : fault
}

function wrongUsualBody(
  response: Part,
  pointer: string,
  { path, answer }: Exchange,
  [trial]: readonly Part[],
): string | undefined {
  const { status, headers, text } = answer
  if (text === '') {
    const mayBeEmpty = response.content === undefined || headers['preference-applied']
    return mayBeEmpty || isStream(headers) ? undefined : `a body is documented for ${status}, and there was none`
  }
  const type = mediaType(headers['content-type'])
  // Its answer is described in words: one status has one description, and only a dry run shows something.
  if (/^\/command\//.test(path) && status === 200 && /\bdry-run=true\b/.test(path)) {
    const shown = /^\/command\/(Create|Change|Delete)Customer\b/.test(path) ? 'CustomerDraft' : 'DealDraft'
    return type === 'application/json' ? faultsAt(`components/schemas/${shown}`, JSON.parse(text)) : undefined
  }
  if (response.content?.[type] === undefined) return `${type} is not documented for ${status}`
  if (!/[/+]json$/.test(type)) return undefined
  if (pointer.startsWith('paths/')) return faultsAt(pointerOf(trial, ''), JSON.parse(text))
  return faultsAt(`${pointer}/content/${escaped(type)}/schema`, JSON.parse(text))
}

const streamed = new Set(representations.flatMap(({ whole, mediaTypes }) => (whole === undefined ? [] : mediaTypes)))
const isStream = (headers: IncomingHttpHeaders): boolean =>
  [...streamed, 'text/event-stream'].includes(mediaType(headers['content-type']))

const mediaType = (value: string | undefined): string => value?.split(';', 1)[0] ?? ''

/** A request that was taken must have been one that the document allows. */
function wrongRequest(asked: Part, template: string, { method, path, type, body }: Exchange): string | undefined {
  // What QUERY has in its address is described with GET.
  const described = method === 'QUERY' ? openApi.paths[template]?.get : asked
  const parameters = ((described?.parameters ?? []) as unknown as readonly Part[]).map(
    (each) => resolve(each) as unknown as Parameter,
  )
  for (const [name, value] of new URLSearchParams(path.split('?')[1] ?? '')) {
    const fault = wrongParameter(parameters, template, name, value)
    if (fault !== undefined) return fault
  }
  // `null` says as little as no body, in place of all of it or of its parameters.
  if (body === '' || body === 'null' || !/^application\/(merge-patch\+)?json$/.test(mediaType(type))) return undefined
  const content = escaped(mediaType(type))
  const pointer = pointerOf(asked.requestBody, `paths/${escaped(template)}/${nameIn(method)}/requestBody`)
  return faultsAt(`${pointer}/content/${content}/schema`, JSON.parse(body))
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: object
}

function wrongParameter(
  parameters: readonly Parameter[],
  template: string,
  name: string,
  value: string,
): string | undefined {
  const own = parameters.find((parameter) => parameter.in === 'query' && parameter.name === name)
  if (own !== undefined) return faultsOf(own, () => ({ properties: { [name]: own.schema } }), { [name]: value })
  return isOtherSpelling(template, name) ? undefined : `the parameter ${name} is not documented`
}

const lists = new Map(
  endpointsOf(schema).flatMap((endpoint) =>
    endpoint.parameters === 'collection' || endpoint.parameters === 'filters'
      ? [[documentedPath(endpoint), endpoint.describes?.asks] as const]
      : [],
  ),
)

/** Names of filters and settings that the text of a listed one describes. What a saved query takes is any of them. */
function isOtherSpelling(template: string, name: string): boolean {
  if (!lists.has(template)) return false
  const asks = lists.get(template)
  return asks === undefined || settingNames.has(name) || filterNames(asks).some((pattern) => pattern(name))
}

const filterNames = onceFor((collection: Collection) =>
  filterParameters(collection).map(({ name: spelled, holdsValue }) => (name: string) => {
    // A name may hold its value: `age>18` has none behind it.
    return holdsValue ? name.startsWith(spelled) : name === spelled
  }),
)

type Validate = ReturnType<Ajv2020['compile']>

const compiled = new Map<unknown, Validate>()

/** By the schema at a place in the document. */
function faultsAt(pointer: string, value: unknown): string | undefined {
  const validate = compiled.get(pointer) ?? strictly(at(pointer))
  compiled.set(pointer, validate)
  return faults(validate, value)
}

/** Of a header or a parameter, whose value is text, by the schema that is made for its part of the document. */
function faultsOf(part: object, schema: () => object, value: object): string | undefined {
  const validate = compiled.get(part) ?? asText(schema())
  compiled.set(part, validate)
  return faults(validate, value)
}

const faults = (validate: Validate, value: unknown): string | undefined =>
  validate(value) ? undefined : `${JSON.stringify(value).slice(0, 300)}: ${told(validate.errors)}`

const told = (errors: readonly ErrorObject[] | null | undefined): string =>
  (errors ?? [])
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
    .join('; ')

function resolve(part: Part | undefined): Part | undefined {
  const pointer = part?.$ref as unknown
  if (typeof pointer !== 'string') return part
  return at(pointer.slice(2))
}

const found = new Map<string, Part>()

function at(pointer: string): Part {
  const part = found.get(pointer) ?? look(pointer)
  found.set(pointer, part)
  return part
}

function look(pointer: string): Part {
  const names = pointer.split('/').map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
  const part = names.reduce<Part | undefined>((part, name) => part?.[name], openApi)
  if (part === undefined) throw new Error(`the document has no ${pointer}`)
  return part
}

const pointerOf = (part: Part | undefined, otherwise: string): string =>
  typeof part?.$ref === 'string' ? String(part.$ref).slice(2) : otherwise

const escaped = (name: string): string => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
