import { find, keyOf } from '../../http/ask/find.ts'
import { readPage } from '../../http/ask/read-page.ts'
import type { Answer } from '../../http/contract/answer.ts'
import type { Call, Endpoint } from '../../http/contract/endpoint.ts'
import type { Problem } from '../../http/contract/problems/problem.ts'
import { refusalProblem } from '../../http/contract/problems/refusals.ts'
import type { WriteOutcome } from '../../http/contract/write.ts'
import { asTyped, fromFields } from '../../http/forms/parts/parameters.ts'
import { readIdempotencyKey } from '../../http/request/command-id.ts'
import { AS_TYPED } from '../../http/write/intent.ts'
import { writeTogether } from '../../http/write/write.ts'
import { REGION_FIELD } from '../../languages/decimals.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import { operationNamed } from '../../model/schema/resources.ts'
import { collectionOf } from '../../queries/collections.ts'
import { askerOf, withCaller } from '../../queries/parse/caller.ts'
import { parseQuery } from '../../queries/parse/parse-query.ts'
import { readDocument } from '../../representations/read-document.ts'
import type { Stored } from '../../store/port/desk.ts'
import { mapInTurns } from '../../store/port/take-turns.ts'
import { localPath } from '../../values/address.ts'
import { batchBounds } from '../../values/bounds.ts'
import { flattened } from '../../values/json/own.ts'
import { lazily } from '../../values/lazily.ts'
import { newCommandId } from '../forms/command-id.ts'
import { tellNext } from '../notices/done-cookie.ts'
import type { FieldsOfThing } from '../parts/shown.ts'
import type { ChangesPage, RowOutcome, SelectedRow } from './view.ts'

const changesScreen = lazily(() => import('./view.ts'))
const picks = lazily(() => import('../forms/picks.ts'))
const operationForms = lazily(() => import('../forms/operation-form.ts'))
const things = lazily(() => import('../things.ts'))
const refusedForms = lazily(() => import('../forms/refused-form.ts'))

/**
 * Changes the selected rows of a list: asks for the parameters, shows the result of a dry run, and does it as one
 * atomic batch. Fields that begin with `_` say what is asked, a field named by an id is a row. decisions/0046
 */
export const changesEndpoint: Endpoint = {
  method: 'POST',
  path: '/changes/:collection',
  role: 'editor',
  summary: 'Change the selected rows of a list',
  offers: 'resource',
  reads: ['application/x-www-form-urlencoded'],
  forPeople: true,
  handle: changeSelected,
}

interface AskedChange {
  readonly resource: Resource
  readonly operation: Operation
  readonly ids: readonly Key[]
  /** The existing ones among them. */
  readonly rows: readonly Stored[]
  readonly fields: ReadonlyMap<string, string>
  /** Without the base address. */
  readonly back: string
}

async function changeSelected(call: Call): Promise<Answer> {
  const resource = call.schema.resources.find(({ plural }) => plural === call.params.collection)
  const fields = call.fields ?? new Map()
  const operation = resource && operationNamed(fields.get('_operation'), resource)
  if (operation === undefined || operation.on !== resource || operation.to === 'nothing') {
    return { problem: { code: 'not-found', detail: 'There is no such change of a list.' } }
  }
  const back = localPath(fields.get('_return')) ?? resource.path
  const ids = await selectedIds(resource, fields, back, call)
  const found = await Promise.all(ids.map((id) => find(resource, id, call)))
  const rows = found.flatMap((each) => ('thing' in each ? [each.thing] : []))
  const asked: AskedChange = { resource, operation, ids, rows, fields, back }
  const step = fields.get('_step')
  if (step === 'apply') return apply(asked, call)
  const hasParams = Object.keys(operation.params).length > 0
  return show(asked, step === 'preview' || !hasParams ? await ask(asked, undefined, call) : [], false, call)
}

/** The checked ids, or all that the list's page shows now. */
async function selectedIds(
  resource: Resource,
  fields: ReadonlyMap<string, string>,
  back: string,
  call: Call,
): Promise<readonly Key[]> {
  const checked = [...fields.keys()].flatMap((name) => keyOf(resource, asKey(name)) ?? [])
  return (fields.has('_all') ? await shownIds(resource, back, call) : checked).slice(0, batchBounds.commands)
}

const asKey = (name: string): Key => (/^[1-9]\d{0,15}$/.test(name) ? Number(name) : name)

async function shownIds(resource: Resource, back: string, call: Call): Promise<readonly Key[]> {
  const collection = collectionOf(resource)
  const query = back.includes('?') ? back.slice(back.indexOf('?') + 1) : ''
  const parsed = withCaller(parseQuery(collection, query), askerOf(call.schema, call.caller?.user ?? null))
  if ('faults' in parsed) return []
  const { fields: _fields, expand: _expand, ...whole } = parsed.query
  const read = await readPage({ collection }, whole, call)
  return 'problem' in read ? [] : mapInTurns(read.page.items, (json) => (JSON.parse(json) as { readonly id: Key }).id)
}

/**
 * Asks for the same change of each row, as its preview showed it; without a key it is a dry run. A removed row is
 * included: a form that is sent again may have removed it.
 */
async function ask(
  { resource, operation, ids, rows, fields }: AskedChange,
  key: string | undefined,
  call: Call,
): Promise<readonly WriteOutcome[]> {
  const dryRun = key === undefined
  const sent = new Map([...fields].filter(([name]) => name === REGION_FIELD || Object.hasOwn(operation.params, name)))
  const params = fromFields(sent, operation.params, call.reader)
  const previewed = ids.map((id) => ({ id, revision: Number(fields.get(String(id))) }))
  const around = { guard: { required: false }, key, dryRun, persons: AS_TYPED }
  const done = await writeTogether(
    (dryRun ? rows : previewed).map(({ id, revision }, among) => ({
      resource: resource.name,
      target: id,
      change: { action: operation.name, params },
      around: { ...around, guard: { required: false, revisions: [revision] }, among },
    })),
    { atomic: !dryRun },
    { ...call, around, form: 'batch' },
  )
  return 'problem' in done ? [done] : done.written
}

async function apply(asked: AskedChange, call: Call): Promise<Answer> {
  const sent = readIdempotencyKey(asked.fields.get('_command') ?? newCommandId(), '_command')
  if ('problem' in sent) return sent
  const key = sent.command
  const settled = await ask(asked, key, call)
  const isDone = settled.length > 0 && settled.every((each) => 'outcome' in each && each.outcome.kind === 'applied')
  if (!isDone) return show(asked, await ask(asked, undefined, call), true, call)
  const told = tellNext({ done: { key, count: settled.length } }, call)
  return { status: 303, headers: { location: call.service.addresses.base + asked.back, 'set-cookie': told } }
}

async function show(
  asked: AskedChange,
  settled: readonly WriteOutcome[],
  isLate: boolean,
  call: Call,
): Promise<Answer> {
  const { resource, operation, rows, fields, back } = asked
  const { addresses } = call.service
  const problems = settled.map((each) => problemOf(each, resource))
  const fault = problems.find((problem) => problem?.code === 'invalid-body')
  const errors = asTyped(fault?.errors ?? [], fields, operation.params)
  const { changesPage } = await changesScreen()
  const { formForAll } = await operationForms()
  const { askedOfAll } = await things()
  const { withoutCreations } = await picks()
  const { filledIn } = await refusedForms()
  const shown = rows.map((row) => flattened(readDocument(row.json) as FieldsOfThing))
  const form = withoutCreations(formForAll(operation, addresses.changes(resource.plural), shown, addresses))
  const filled = filledIn(askedOfAll(operation, form, shown), fields, { title: '', code: '', ...fault, errors })
  const page: ChangesPage = {
    resource,
    operation,
    rows: rows.map((row, at): SelectedRow => {
      const { [at]: each } = settled
      const before = shown[at] ?? {}
      // Faults of the parameters are shown at their fields.
      const isTold = each === undefined || fault !== undefined
      return {
        id: row.id,
        name: String(before.name ?? before.title ?? row.id),
        href: addresses.thing(resource, row.id),
        revision: row.revision,
        before,
        ...(!isTold && { outcome: outcomeOf(each, problems[at]) }),
      }
    }),
    form: { ...filled, hidden: {} },
    params: Object.fromEntries(
      [...fields].filter(([name]) => name === REGION_FIELD || Object.hasOwn(operation.params, name)),
    ),
    commandId: newCommandId(),
    back: { path: back, href: addresses.base + back },
    isLate,
  }
  const screen = () => changesPage(page)
  const status = fault !== undefined ? 422 : isLate ? 409 : 200
  return {
    status,
    document: { title: operation.title, kind: 'resource', item: 'change', json: '{}', screen },
  }
}

const problemOf = (settled: WriteOutcome, { schema }: Resource): Problem | undefined => {
  if ('problem' in settled) return settled.problem
  if ('notTried' in settled || settled.outcome.kind === 'applied') return undefined
  return refusalProblem(settled.outcome.refusal, schema)
}

function outcomeOf(settled: WriteOutcome, problem: Problem | undefined): RowOutcome {
  if (problem !== undefined) {
    const refusal = 'outcome' in settled && settled.outcome.kind === 'refused' ? settled.outcome.refusal : undefined
    const { plainly: detail } = problem
    if (refusal?.code === 'wrong-state') return { refused: { code: refusal.code, detail: refusal.reason } }
    return { refused: detail === undefined ? problem : { ...problem, detail } }
  }
  if (!('outcome' in settled) || settled.outcome.kind !== 'applied') return { refused: { code: '', detail: '' } }
  const { thing, removed } = settled.outcome
  return { after: removed ? undefined : flattened(readDocument(thing.json) as FieldsOfThing) }
}
