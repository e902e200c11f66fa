import { STATUS_CODES } from '../../http/connection/node-http.ts'
import type { DescribedDoor, DoorRequest } from '../../http/contract/described-door.ts'
import type { Call } from '../../http/contract/endpoint.ts'
import { type Form, type FormRequest, type Reply, requestsIn } from '../../http/contract/form.ts'
import { invalidBody, type Problem } from '../../http/contract/problems/problem.ts'
import { problemType } from '../../http/contract/problems/problem-types.ts'
import { refusalProblem } from '../../http/contract/problems/refusals.ts'
import { detailOf } from '../../http/contract/problems/told-problem.ts'
import type { Sample } from '../../http/contract/sample.ts'
import { type SaidThing, withLinks } from '../../http/contract/sample.ts'
import { forms } from '../../http/forms/forms.ts'
import { successOf } from '../../http/respond/replies.ts'
import { tell } from '../../languages/tell.ts'
import type { Params } from '../../model/declaration/operation.ts'
import type { Operation } from '../../model/declaration/schema.ts'
import { attributesFor } from '../../model/intent/attributes.ts'
import type { Deal } from '../../model/nouns/deal/deal.ts'
import { resourceNamed, whyNotNow } from '../../model/schema/resources.ts'
import type { Stored } from '../../store/port/desk.ts'
import type { Json } from '../../values/json/json.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import { camelCase } from '../../values/letter-case.ts'
import { memberIn } from '../../values/members.ts'
import { originOf } from '../shell/origin.ts'
import type { EveryForm, SampleAnswer, SampleRequest } from './every-form.ts'

/**
 * Writes the requests for an operation on a deal, in every form that supports it; operations on other things have none.
 */
export const samplesFor =
  (call: Call) =>
  (operation: Operation, stored: Stored): EveryForm | undefined =>
    operation.on.name === 'deal' ? sampleOf(operation, stored, call) : undefined

function sampleOf(operation: Operation, stored: Stored, call: Call): EveryForm {
  const deal = readStored(stored, call)
  const params = operation.examples[0]
  const foreseen = foresee(operation, deal, params)
  const requests = forms.flatMap((form) => {
    // Each of the two command forms gets its own id, so that both can be tried.
    const command = `${operation.name}-${deal.id.slice(-6)}-${deal.revision + 1}${form.name[0]}`
    const sample: Sample = { operation, params, target: deal.id, command }
    const [request] = requestsIn(form, sample)
    return request === undefined ? [] : [shownRequest(form, request, sample, foreseen, call)]
  })
  const sample: Sample = { operation, params, target: deal.id, command: `${operation.name}-${deal.id.slice(-6)}` }
  const throughDoors = call.service.doors.flatMap((door) => {
    const request = door.request(sample)
    return request === undefined ? [] : [shownAtDoor(door, request, sample, foreseen, call)]
  })
  return {
    title: operation.title,
    action: call.service.addresses.ofDeal(deal.id, operation.words.noun),
    isRefused: 'problem' in foreseen,
    origin: originOf(call),
    requests: [...requests, ...throughDoors],
    without: attributesFor(operation, params)
      ? []
      : ['Attributes alone cannot stand for this operation: they do not say what it needs to know.'],
    params: new Map([
      ...Object.keys(operation.params).map((name) => [name, name] as const),
      ...Object.entries(operation.sets ?? {}).map(([param, field]) => [field, param] as const),
    ]),
  }
}

/** The deal after the operation, or the problem if it would be refused now. */
type Foreseen = { readonly before: Deal; readonly made: Deal } | { readonly problem: Problem }

function foresee(operation: Operation, deal: Deal, params: Params): Foreseen {
  const now = new Date().toISOString()
  const whyNot = whyNotNow(operation, deal, now)
  const decision =
    whyNot === undefined
      ? operation.decide(deal, params, { now, exists: () => true, queryFaults: () => [] })
      : { notAllowed: whyNot }
  if ('thing' in decision) return { before: deal, made: decision.thing as Deal }
  if ('faults' in decision) return { problem: invalidBody(decision.faults) }
  if ('refused' in decision) return { problem: refusalProblem(decision.refused, operation.on.schema) }
  if ('prepare' in decision) throw new Error(`${operation.words.action} is prepared outside`)
  const { name, on } = operation
  const refused = { resource: on.name, operation: name, reason: decision.notAllowed, thing: {}, allowed: [] }
  return { problem: refusalProblem({ code: 'wrong-state', ...refused }, on.schema) }
}

function readStored({ json }: Stored, { schema }: Call): Deal {
  const shown = JSON.parse(json) as Record<string, unknown>
  const { kinds } = resourceNamed(schema, 'deal')
  const fields = Object.entries<Kind<unknown>>(kinds).map(([name, kind]) => {
    const read = kind.read(memberIn(shown, name))
    if ('fault' in read) throw new Error(`the deal's ${name} ${tell(read.fault)}`)
    return [name, read.value]
  })
  return Object.fromEntries(fields) as Deal
}

function shownAtDoor(
  door: DescribedDoor,
  request: DoorRequest,
  sample: Sample,
  foreseen: Foreseen,
  call: Call,
): SampleRequest {
  const { title, idea } = door
  const said = 'problem' in foreseen ? saidProblem(foreseen.problem) : { thing: difference(foreseen, call) }
  const { status, headers = {}, body } = door.answer(said, sample)
  const answer = {
    status: `${status} ${STATUS_CODES[status]}`,
    headers: Object.entries(headers),
    ...(body !== undefined && { body }),
  }
  return { title, idea, ...request, path: pathOf(request, call), answer }
}

/** With the path of BASE_URL in front. */
const pathOf = ({ path }: { readonly path: string }, { service }: Call): string =>
  service.addresses.base.replace(/^https?:\/\/[^/]+/, '') + path

function shownRequest(form: Form, request: FormRequest, sample: Sample, foreseen: Foreseen, call: Call): SampleRequest {
  const { title, idea } = form
  const answer =
    'problem' in foreseen
      ? refusedAnswer(foreseen.problem)
      : answerOf(form.reply, foreseen.made, { ...sample, foreseen, call })
  const { body = {} } = request
  return {
    title,
    idea,
    method: request.method,
    path: pathOf(request, call),
    ...(Object.keys(body).length > 0 && { body }),
    answer,
    client: clientCode(form, sample, originOf(call)),
  }
}

interface Answering extends Sample {
  readonly foreseen: { readonly before: Deal; readonly made: Deal }
  readonly call: Call
}

/** Uses the instant of the last change, so that the page stays the same until the deal changes. */
const tagAfter = ({ revision }: Deal, { updatedAt }: Deal, { service, schema }: Call): string =>
  service.tags(schema).tag({ revision, updatedAt }, { representation: 'json' })

/** The answer in a form. */
function answerOf(reply: Reply, made: Deal, answering: Answering): SampleAnswer {
  const { status } = successOf(reply, answering.operation)
  const line = `${status} ${STATUS_CODES[status]}`
  return status === 204 ? { status: line, headers: [] } : { status: line, ...answers[reply](made, answering) }
}

const answers: Readonly<Record<Reply, (made: Deal, answering: Answering) => Omit<SampleAnswer, 'status'>>> = {
  thing: (made, { foreseen, call }) => ({
    headers: [
      ['ETag', tagAfter(made, foreseen.before, call)],
      ['Content-Location', call.service.addresses.deal(made.id)],
    ],
    body: withLinks(difference(foreseen, call)),
  }),
  created: (made, { foreseen, call }) => ({
    headers: [['Location', call.service.addresses.deal(made.id)]],
    body: withLinks(difference(foreseen, call)),
  }),
  entry: (made, { operation, params, call }) => ({
    headers: [['Location', call.service.addresses.entry(operation.on, made.id, operation.words.noun, made.revision)]],
    body: `{"operation":"${operation.name}",\n "params":${JSON.stringify(params)},\n "revision":${made.revision}, …}`,
  }),
  command: (made, { operation, params, command }) => ({
    headers: [],
    body: `{"id":"${command}",\n "action":"${operation.words.action}",\n "params":${JSON.stringify(
      params,
    )},\n "status":"applied",\n "revision":${made.revision}, …}`,
  }),
  empty: (made, { call }) => ({
    headers: [['Link', `<${call.service.addresses.deal(made.id)}>; rel="related"`]],
  }),
}

/** The deal, reduced to the members that the operation changes. */
function difference({ before, made }: Answering['foreseen'], { schema }: Call): SaidThing {
  const deals = resourceNamed(schema, 'deal')
  const was = JSON.parse(deals.toJson(before)) as Record<string, Json>
  const is = JSON.parse(deals.toJson(made)) as Record<string, Json>
  const changed = Object.entries(is)
    .map(([name, value]) => [name, JSON.stringify(value)] as const)
    .filter(([name, text]) => name !== 'updatedAt' && JSON.stringify(was[name]) !== text)
  return { id: made.id, revision: made.revision, changed }
}

function refusedAnswer(refused: Problem): SampleAnswer {
  const { status, problem } = saidProblem(refused)
  return {
    status: `${status} ${problemType(refused.code).title}`,
    headers: [['Content-Type', 'application/problem+json']],
    body: problem,
  }
}

const saidProblem = (problem: Problem): { readonly problem: string; readonly status: number } => ({
  problem: `{"code":"${problem.code}",\n "detail":${JSON.stringify(detailOf(problem))}, …}`,
  status: problemType(problem.code).status,
})

/** The call with dealdesk/client. */
function clientCode(
  { name, reply }: Form,
  { operation, params, target, command }: Sample,
  origin: string,
): NonNullable<SampleRequest['client']> {
  const start = `import { connect } from 'dealdesk/client'\n\nconst { deals } = connect('${origin}')\nawait deals.`
  const attributes = name === 'attribute-update' ? attributesFor(operation, params) : undefined
  if (attributes !== undefined) return { before: `${start}update('${target}', `, params: attributes, after: ')' }
  const chosen = name === 'verb' || name === 'resource' ? '' : `form: '${name}'`
  const options = [chosen, reply !== 'command' ? '' : `commandId: '${command}'`].filter((each) => each !== '')
  const after = options.length === 0 ? ')' : `, { ${options.join(', ')} })`
  const call = `${start}${camelCase(operation.name)}('${target}'`
  // Empty parameters are left out, unless options follow.
  if (Object.keys(params).length === 0 && options.length === 0) return { before: call, after }
  return { before: `${call}, `, params, after }
}
