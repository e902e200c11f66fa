import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type FormName, formNames } from '../../src/http/forms/forms.ts'
import type { Intent } from '../../src/model/intent/intent.ts'
import { operationNamed } from '../../src/model/schema/resources.ts'
import { openStore } from '../../src/store/open.ts'
import { SERVICE, type Stored } from '../../src/store/port/desk.ts'
import { type Outcome, performAlone, type Store } from '../../src/store/port/store.ts'
import { assertPeriods } from '../support/database/kept-periods.ts'
import { assertTotals } from '../support/database/kept-totals.ts'
import { ownSqlite } from '../support/database/own-database.ts'
import { assertSearchIndex } from '../support/database/search-index.ts'
import { intentTo } from '../support/deals/intents.ts'
import {
  type Asked,
  actionOf,
  contentOf,
  type Doc,
  doStep,
  type Expected,
  emptyModel,
  expect,
  type Model,
  operationNames,
  type Step,
  writtenParams,
} from '../support/deals/simple-model.ts'
import { seedOf } from '../support/inputs/draw.ts'
import { fc } from '../support/inputs/fast-check.ts'
import { deal as deals } from '../support/schema.ts'

// Random stories are told to the real store and to the model; after every sentence both must say the same.
// MODEL_SEED=… tells the same stories again, MODEL_RUNS=… more of them.

const database = ownSqlite('ready')
let store: Store
const customers = new Set<number>()

before(async () => {
  store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
  for (const name of ['Ana', 'Ben']) {
    const outcome = await performAlone(store, intentTo('create', undefined, { name }, { resource: 'customer' }))
    assert.ok(outcome.kind === 'applied')
    customers.add(Number(outcome.thing.id))
  }
})
after(async () => {
  await store.close()
  database.remove()
})

test('the store and a simple model tell the same story', async (t) => {
  const seed = seedOf('MODEL_SEED')
  t.diagnostic(`MODEL_SEED=${seed}`)
  await fc.assert(
    fc.asyncProperty(fc.array(sentence, { minLength: 1, maxLength: 60, size: 'max' }), async (story) => {
      const telling = begin()
      await tell(telling, { ...firstSentence })
      for (const each of story) await tell(telling, each)
    }),
    { numRuns: Number(process.env.MODEL_RUNS ?? 30), seed },
  )
  await assertSearchIndex(database)
  await assertTotals(database)
  await assertPeriods(database)
})

/** One thing that is asked; what it means depends on the deals that there are by then. */
interface Sentence {
  readonly operation: string | 'update'
  readonly byAction: boolean
  readonly target: number | 'unknown' | 'none'
  readonly params: Doc
  readonly attributes: Doc
  /** Whether an update sends the whole deal, as a client that read it would. */
  readonly whole: boolean
  readonly command: { readonly n: number; readonly by: 'id' | 'key' } | undefined
  /** Asks again what was asked under an id before, instead of all this. */
  readonly again: number | undefined
  readonly guard: 'none' | 'current' | 'stale' | 'any' | 'required'
  readonly dryRun: boolean
  readonly form: FormName
}

const firstSentence: Sentence = {
  operation: 'create',
  byAction: false,
  target: 'none',
  params: { name: 'Roof', price: 0.1 },
  attributes: {},
  whole: false,
  command: undefined,
  again: undefined,
  guard: 'none',
  dryRun: false,
  form: 'resource',
}

/** Few enough that an id meets other content now and then. */
const COMMANDS = 20

const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: usual, weight: 12 }, { arbitrary: odd, weight: 1 })
const words: fc.Arbitrary<unknown> = mostly(
  fc.constantFrom('x', ' y ', 'a\nb', '😀'),
  fc.constantFrom('', '  ', '\u200b', 'a'.repeat(10_001), '\0', 5, null, true),
)
const amounts: fc.Arbitrary<unknown> = mostly(
  fc.constantFrom(0, 0.1, 0.29, 1.15, 0.125, 5, 12, 1e12),
  fc.constantFrom(-1, 0.001, 0.0001, 0.30000000000000004, 1e13, '1', null),
)
const days: fc.Arbitrary<unknown> = mostly(
  fc.constantFrom('2027-01-01', '2028-02-28'),
  fc.constantFrom('2027-02-29', '2027-1-1', 20270101, ''),
)
const some = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 5 })
const someCustomer = fc.constantFrom<unknown>(1, 2, 1, 2, null, 999_999, 0, 1.5, 'x')
const stage = fc.constantFrom<unknown>('lead', 'qualified', 'proposal', 'negotiation', 'contract', 'contract', 'won')

/** All tellings share a store, in which a reference is unique: each puts its own mark before these. */
const references: fc.Arbitrary<unknown> = mostly(
  fc.constantFrom('#1', '#2', '#3'),
  fc.constantFrom<unknown>('', '\u200b', 'a'.repeat(201), 5, null),
)

const values: { readonly [param: string]: fc.Arbitrary<unknown> } = {
  name: words,
  price: amounts,
  currency: fc.constantFrom('EUR', 'CHF', 'JPY', 'KWD', 'XXX'),
  customerId: someCustomer,
  owner: some(words),
  description: words,
  stage,
  completionDate: some(days),
  reason: words,
  completedOn: mostly(fc.constantFrom<unknown>('2026-01-01', '2026-11-01'), days),
  acceptedBy: words,
  note: words,
  amercement: amounts,
  newPrice: amounts,
  newDate: some(days),
  whyChanged: words,
  newName: words,
  text: words,
  kind: mostly(fc.constantFrom('note', 'call', 'meeting', 'mail'), fc.constantFrom<unknown>('fax', '', null, 5)),
  happenedAt: mostly(
    fc.constantFrom<unknown>('2026-01-01T00:00:00.000Z', '2026-11-01T09:30:00.125Z'),
    fc.constantFrom<unknown>('2028-02-28T00:00:00.000Z', '2026-01-01', 'now', '', null, 5),
  ),
  amount: amounts,
  reference: references,
}

/** The parameters that the declaration takes; what they mean, the model knows by itself. */
function paramsFor(operation: string): fc.Arbitrary<Doc> {
  const members = Object.entries(operationNamed(operation, deals)?.params ?? {})
  const needed = members.flatMap(([name, { required }]) => (required ? [name] : []))
  const all = Object.fromEntries(members.map(([name]) => [name, values[name] ?? words]))
  const whole = fc.record(all, { requiredKeys: needed }) as fc.Arbitrary<Doc>
  const lacking = fc.record({ ...all, reasn: words }, { requiredKeys: [] }) as fc.Arbitrary<Doc>
  return mostly(whole, lacking)
}

const attributes = fc.record(
  {
    name: words,
    price: amounts,
    completionDate: some(days),
    stage,
    owner: some(words),
    customerId: someCustomer,
    description: words,
    reference: references,
    held: fc.boolean(),
    holdReason: some(words),
    links: fc.constant({ self: '/' }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Doc>
const oddAttributes = fc.constantFrom<Doc>(
  { status: 'completed' },
  { paid: 7 },
  { nam: 'x' },
  { revision: 999 },
  { held: 1 },
)

const sentence: fc.Arbitrary<Sentence> = mostly(
  fc.constantFrom('update', 'update', 'update', ...operationNames, 'hold', 'unhold', 'reopen', 'restore', 'restore'),
  fc.constant('HoldDel'),
).chain((operation) =>
  fc.record({
    operation: fc.constant(operation),
    byAction: fc.boolean(),
    target: mostly(
      operation === 'create' ? fc.constant<Sentence['target']>('none') : fc.nat(2),
      fc.constantFrom<Sentence['target']>('unknown', 'none', 0),
    ),
    params: paramsFor(operation),
    attributes: mostly(attributes, oddAttributes),
    whole: fc.boolean(),
    command: fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 3 },
      { arbitrary: fc.record({ n: fc.nat(COMMANDS - 1), by: fc.constantFrom('id', 'key') }), weight: 2 },
    ),
    again: mostly(fc.constant(undefined), fc.nat(50)),
    guard: mostly(
      fc.constantFrom<Sentence['guard']>('none', 'current', 'any'),
      fc.constantFrom<Sentence['guard']>('stale', 'required'),
    ),
    dryRun: mostly(fc.constant(false), fc.constant(true)),
    form: fc.constantFrom(...formNames),
  }),
)

interface Telling {
  readonly model: Model
  /** In the order of their making, so that a sentence can point at one. */
  readonly ids: string[]
  readonly commandIds: readonly string[]
  /** Everything that was asked under an id. */
  readonly commanded: Asked[]
}

const begin = (): Telling => ({
  model: emptyModel(customers),
  ids: [],
  commandIds: Array.from({ length: COMMANDS }, () => randomUUID()),
  commanded: [],
})

async function tell(telling: Telling, sentence: Sentence): Promise<void> {
  const { model } = telling
  const asked = askedAgain(telling, sentence) ?? askedBy(telling, sentence)
  if (asked.command !== undefined) telling.commanded.push(asked)
  const expected = expect(model, asked)
  const outcome = await performAlone(store, intentOf(asked, sentence.form))
  const said = `${JSON.stringify(asked)} → ${JSON.stringify(outcome)}`

  if ('refused' in expected) {
    assert.equal(outcome.kind, 'refused', said)
    compareRefusal(expected, outcome as Extract<Outcome, { kind: 'refused' }>, said)
    if (expected.refused === 'wrong-state') remember(model, asked, { ...expected, replayed: true })
  } else {
    assert.equal(outcome.kind, 'applied', said)
    const applied = outcome as Extract<Outcome, { kind: 'applied' }>
    assert.equal(applied.replayed, 'replayed' in expected, said)
    if ('replayed' in expected) assert.deepEqual(JSON.parse(applied.thing.json), expected.replayed, said)
    else await compareApplied(telling, asked, expected, applied, sentence.form)
  }
  const touched = asked.deal
  if (touched !== undefined) await compareDeal(touched, model.deals.get(touched))
}

function askedAgain({ commanded }: Telling, { again, dryRun }: Sentence): Asked | undefined {
  const before = again === undefined ? undefined : commanded[again % commanded.length]
  return before && { ...before, dryRun }
}

function askedBy({ model, ids, commandIds }: Telling, sentence: Sentence): Asked {
  const { target, guard, command } = sentence
  const deal = target === 'none' ? undefined : target === 'unknown' ? randomUUID() : ids[target % ids.length]
  const current = deal === undefined ? undefined : model.deals.get(deal)
  const revision = Number(current?.revision ?? 1)
  const revisions = {
    none: undefined,
    required: undefined,
    current: [revision],
    stale: [revision + 1],
    any: 'any' as const,
  }
  return {
    deal,
    change: changeBy(marked(sentence, commandIds[0] ?? ''), current),
    command: command && { id: commandIds[command.n] ?? '', by: command.by },
    revisions: revisions[guard],
    mustGuard: guard === 'required',
    dryRun: sentence.dryRun,
  }
}

function marked({ params, attributes, ...rest }: Sentence, mark: string): Sentence {
  const inside = (doc: Doc): Doc =>
    typeof doc.reference === 'string' && doc.reference.startsWith('#')
      ? { ...doc, reference: `${mark}${doc.reference}` }
      : doc
  return { ...rest, params: inside(params), attributes: inside(attributes) }
}

function changeBy(
  { operation, byAction, params, attributes, whole }: Sentence,
  current: Doc | undefined,
): Asked['change'] {
  if (operation === 'update') return { attributes: whole ? { ...current, ...attributes } : attributes }
  return { action: byAction ? actionOf(operation) : operation, params }
}

function intentOf({ deal, change, command, revisions, mustGuard, dryRun }: Asked, form: FormName): Intent {
  return {
    resource: 'deal',
    ...(deal !== undefined && { target: deal }),
    change,
    pointers: { target: '/id', action: '', params: '' },
    faults: [],
    ...(command !== undefined && { command }),
    guard: { ...(revisions !== undefined && { revisions }), required: mustGuard },
    actor: null,
    form,
    dryRun,
  }
}

function remember(model: Model, asked: Asked, answer: Expected): void {
  const { command, dryRun } = asked
  if (command === undefined || dryRun || model.commands.has(command.id)) return
  model.commands.set(command.id, { content: contentOf(asked), answer })
}

function compareRefusal(
  { refused, pointers, replayed = false }: Extract<Expected, { refused: string }>,
  { refusal, replayed: again }: Extract<Outcome, { kind: 'refused' }>,
  said: string,
): void {
  // The model speaks of deals alone, the store of any resource.
  const code = refusal.code === 'not-found' || refusal.code === 'deleted' ? `deal-${refusal.code}` : refusal.code
  assert.equal(code, refused, said)
  assert.equal(again, replayed, said)
  if (pointers !== undefined && refusal.code === 'invalid') {
    assert.deepEqual(new Set(refusal.faults.map(({ at }) => at.pointer)), pointers, said)
  }
}

async function compareApplied(
  { model, ids }: Telling,
  asked: Asked,
  { steps, before }: Extract<Expected, { steps: unknown }>,
  { thing, event, command }: Extract<Outcome, { kind: 'applied' }>,
  form: FormName,
): Promise<void> {
  const id = String(thing.id)
  const first = Number(before?.revision ?? 0)
  assert.equal(thing.revision, first + steps.length)
  assert.equal(command?.id, asked.command?.id)
  const current = asked.dryRun
    ? steps.reduce((reached, step) => doStep(model, reached, step, id, thing.updatedAt), before)
    : await readSteps(model, asked, steps, before, thing, form)
  assert.ok(current)
  assert.deepEqual(JSON.parse(thing.json), current)
  assert.equal(event?.doc, steps.length === 0 ? undefined : thing.json)
  if (asked.dryRun) return
  if (before === undefined) ids.push(id)
  model.deals.set(id, current)
  remember(model, asked, { replayed: current })
  await compareDeal(id, current)
}

/** The events of a change, each with the deal that it left behind. */
async function readSteps(
  model: Model,
  asked: Asked,
  steps: readonly Step[],
  before: Doc | undefined,
  thing: Stored,
  form: FormName,
): Promise<Doc | undefined> {
  const left = [...steps]
  let current = before
  while (left.length > 0) {
    const revision = Number(current?.revision ?? 0) + 1
    const written = await store.as(SERVICE).event(deals, thing.id, revision)
    assert.ok(written)
    const step = left.find(({ operation }) => operation === written.operation)
    assert.ok(step, `${written.operation} was not asked for`)
    if (step.operation === 'hold') assert.equal(left.length, 1)
    if (left.some(({ operation }) => operation === 'unhold')) assert.equal(step.operation, 'unhold')
    left.splice(left.indexOf(step), 1)
    current = doStep(model, current, step, String(thing.id), thing.updatedAt)
    assert.deepEqual(JSON.parse(written.doc), current)
    const { operation, params, revision: made, form: through, commandId } = JSON.parse(written.entry)
    assert.deepEqual(
      { operation, params, made, through, commandId },
      {
        operation: step.operation,
        params: writtenParams(step, thing.updatedAt),
        made: revision,
        through: form,
        commandId: asked.command?.id,
      },
    )
  }
  return current
}

/** The deal that is read, its row and the end of its history. */
async function compareDeal(id: string, expected: Doc | undefined): Promise<void> {
  const stored = await store.as(SERVICE).find(deals, id)
  assert.deepEqual(stored && JSON.parse(stored.json), expected)
  if (stored === undefined) return
  const { revision, updatedAt, deletedAt } = stored
  assert.deepEqual({ revision, updatedAt, deletedAt }, pick(expected))
  assert.equal((await store.as(SERVICE).event(deals, id, revision))?.doc, stored.json)
  assert.equal(await store.as(SERVICE).event(deals, id, revision + 1), undefined)
}

const pick = ({ revision, updatedAt, deletedAt }: Doc = {}): Doc => ({ revision, updatedAt, deletedAt })
