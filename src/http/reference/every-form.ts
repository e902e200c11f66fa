import { type Deal, dealFields, dealToJson } from '../../model/deal/deal.ts'
import { whyNotNow } from '../../model/deal/operations.ts'
import type { Operation, Params } from '../../model/operation.ts'
import type { StoredDeal } from '../../store/port/store.ts'
import type { Json, Kind } from '../../values/kind.ts'
import type { SampleOf } from '../../views/deal/read.ts'
import type { EveryForm, SampleAnswer, SampleRequest } from '../../views/operation/every-form.ts'
import type { Call } from '../endpoint.ts'
import type { Form, FormRoute, Reply, Sample } from '../forms/form.ts'
import { forms } from '../forms/forms.ts'
import { type Problem, refusalProblem } from '../respond/problem.ts'
import { problemTypes } from '../respond/problem-types.ts'

/** Writes the requests for an operation on a deal, in every form that can ask for it. */
export const samplesFor =
  (call: Call): SampleOf =>
  (operation, stored) =>
    sampleOf(operation, stored, call)

function sampleOf(operation: Operation, stored: StoredDeal, call: Call): EveryForm {
  const deal = readStored(stored)
  const params = operation.examples[0]
  const foreseen = foresee(operation, deal, params)
  const attributes = 'made' in foreseen ? attributesFor(operation, foreseen.made) : undefined
  const sample: Sample = { operation, params, deal: deal.id, attributes }
  const requests = forms.flatMap((form) => requestsIn(form, sample, foreseen, deal.revision, call))
  return {
    title: operation.title,
    action: call.service.addresses.ofDeal(stored.id, operation.words.noun),
    isRefused: 'problem' in foreseen,
    origin: originOf(call),
    requests,
    without: requests.some(({ form }) => form === 'attribute-update')
      ? []
      : ['Attributes alone cannot stand for this operation: they do not say what it needs to know.'],
    params: new Map([
      ...Object.keys(operation.params).map((name) => [name, name] as const),
      ...Object.entries(operation.sets ?? {}).map(([param, field]) => [field, param] as const),
    ]),
  }
}

/** What the operation would make of the deal now, or why it would be refused. */
type Foreseen = { readonly before: Deal; readonly made: Deal } | { readonly problem: Problem }

function foresee(operation: Operation, deal: Deal, params: Params): Foreseen {
  const now = new Date().toISOString()
  const whyNot = whyNotNow(operation, deal, now)
  const customers = new Set([params.customerId].filter((id) => typeof id === 'number'))
  const decision = whyNot === undefined ? operation.decide(deal, params, { now, customers }) : { notAllowed: whyNot }
  if ('deal' in decision) return { before: deal, made: decision.deal }
  if ('faults' in decision) return { problem: refusalProblem({ code: 'invalid', faults: decision.faults }) }
  const { name } = operation
  return {
    problem: refusalProblem({ code: 'wrong-state', operation: name, reason: decision.notAllowed, deal, allowed: [] }),
  }
}

function readStored({ json }: StoredDeal): Deal {
  const shown = JSON.parse(json) as Record<string, unknown>
  const fields = Object.entries(dealFields as Readonly<Record<string, Kind<unknown>>>).map(([name, kind]) => {
    const read = kind.read(shown[name])
    if ('fault' in read) throw new Error(`the deal's ${name} ${read.fault}`)
    return [name, read.value]
  })
  return Object.fromEntries(fields) as Deal
}

function attributesFor({ fromAttributes, sets = {}, changes }: Operation, made: Deal): Sample['attributes'] {
  if (fromAttributes === undefined) return undefined
  const carried = changes.filter((field) => field === 'held' || Object.values(sets).includes(field))
  return Object.fromEntries(carried.map((field) => [field, (dealFields[field] as Kind<unknown>).write(made[field])]))
}

function requestsIn(
  form: Form,
  sample: Sample,
  foreseen: Foreseen,
  revision: number,
  call: Call,
): readonly SampleRequest[] {
  const { operation, deal } = sample
  const route =
    form.routes.find((each) => each.operation === operation) ??
    form.routes.find((each) => each.operation === undefined && operation.on !== 'nothing')
  const body = form.write(sample)
  if (route === undefined || body === undefined) return []
  // An id of its own for each of the two forms, so that both can be tried.
  const command =
    form.reply === 'command' ? `${operation.name}-${deal.slice(-6)}-${revision + 1}${form.name[0]}` : undefined
  const path = call.service.addresses.base.replace(/^https?:\/\/[^/]+/, '') + fill(route, operation, deal, command)
  const sent = isEmpty(body) ? {} : { body }
  const answer =
    'problem' in foreseen
      ? refusedAnswer(foreseen.problem)
      : answers[form.reply](foreseen.made, { ...sample, path, foreseen, call })
  return [
    {
      form: form.name,
      method: route.method,
      path,
      ...sent,
      answer,
      client: clientCode(form, sample, originOf(call), command),
    },
  ]
}

const isEmpty = (body: Json): boolean => typeof body === 'object' && body !== null && Object.keys(body).length === 0

const fill = ({ path }: FormRoute, { words }: Operation, deal: string, command: string | undefined): string =>
  path
    .replace(':id', deal)
    .replace(':command', command ?? '')
    .replace(/:name$/, `${words.action}/`)

interface Answering extends Sample {
  readonly path: string
  readonly foreseen: { readonly before: Deal; readonly made: Deal }
  readonly call: Call
}

/** A page is the same until the deal changes, so its sample takes the instant of the last change. */
const tagAfter = ({ revision }: Deal, { updatedAt }: Deal, { service }: Call): string =>
  service.tags.tag({ revision, updatedAt }, { representation: 'json' })

/** What each form comes back with. */
const answers: Readonly<Record<Reply, (made: Deal, answering: Answering) => SampleAnswer>> = {
  deal(made, { foreseen, call }) {
    if (made.deletedAt !== null) return { status: '204 No Content', headers: [] }
    return {
      status: '200 OK',
      headers: [
        ['ETag', tagAfter(made, foreseen.before, call)],
        ['Content-Location', call.service.addresses.deal(made.id)],
      ],
      body: difference(foreseen.before, made),
    }
  },
  created: (made, { foreseen, call }) => ({
    status: '201 Created',
    headers: [['Location', call.service.addresses.deal(made.id)]],
    body: difference(foreseen.before, made),
  }),
  entry: (made, { operation, params, call }) => ({
    status: '201 Created',
    headers: [['Location', call.service.addresses.entry(made.id, operation.words.noun, made.revision)]],
    body: `{"operation":"${operation.name}",\n "params":${JSON.stringify(params)},\n "revision":${made.revision}, …}`,
  }),
  command: (made, { operation, params, path }) => ({
    status: '201 Created',
    headers: [],
    body: `{"id":"${path.split('/').at(-1)}",\n "action":"${operation.words.action}",\n "params":${JSON.stringify(
      params,
    )},\n "status":"applied",\n "revision":${made.revision}, …}`,
  }),
  empty: (made, { call }) => ({
    status: '200 OK',
    headers: [['Link', `<${call.service.addresses.deal(made.id)}>; rel="related"`]],
  }),
}

/** The deal's document, of which only what the operation changed is written out. */
function difference(before: Deal, made: Deal): string {
  const was = JSON.parse(dealToJson(before)) as Record<string, Json>
  const is = JSON.parse(dealToJson(made)) as Record<string, Json>
  const changed = Object.keys(is).filter((name) => name !== 'updatedAt' && was[name] !== is[name])
  return `{"id":"${made.id}", …\n${changed.map((name) => ` "${name}":${JSON.stringify(is[name])}, …\n`).join('')} "links":{…}}`
}

function refusedAnswer({ code, detail }: Problem): SampleAnswer {
  const { status, title } = problemTypes[code]
  return {
    status: `${status} ${title}`,
    headers: [['Content-Type', 'application/problem+json']],
    body: `{"code":"${code}",\n "detail":${JSON.stringify(detail)}, …}`,
  }
}

/** With `connect` of dealdesk/client. */
function clientCode(
  { name }: Form,
  { operation, params, deal, attributes }: Sample,
  origin: string,
  command: string | undefined,
): SampleRequest['client'] {
  const start = `import { connect } from 'dealdesk/client'\n\nconst { deals } = connect('${origin}')\nawait deals.`
  if (name === 'attribute-update') return { before: `${start}update('${deal}', `, params: attributes ?? {}, after: ')' }
  const chosen = name === 'verb' || name === 'resource' ? '' : `form: '${name}'`
  const options = [chosen, command === undefined ? '' : `commandId: '${command}'`].filter((each) => each !== '')
  const after = options.length === 0 ? ')' : `, { ${options.join(', ')} })`
  const call = `${start}${camelCase(operation.name)}('${deal}'`
  // Where there is nothing to say, nothing is said, unless something follows.
  if (Object.keys(params).length === 0 && options.length === 0) return { before: call, after }
  return { before: `${call}, `, params, after }
}

const camelCase = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** Where the reader reached the service, for commands that can be copied. */
function originOf({ headers, service }: Call): string {
  const [origin] = /^https?:\/\/[^/]+/.exec(service.addresses.base) ?? []
  const host = typeof headers.host === 'string' && /^[\w.:[\]-]+$/.test(headers.host) ? headers.host : 'localhost:8080'
  return origin ?? `http://${host}`
}
