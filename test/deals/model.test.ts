import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type FormName, formNames } from '../../src/deals/event.ts'
import type { Intent } from '../../src/perform.ts'
import { openStore } from '../../src/store/open.ts'
import type { Outcome, Store } from '../../src/store/store.ts'
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
} from './model.ts'

// Random stories are told to the real store and to the model; after every sentence both must say the same.
// A failure prints its seed: MODEL_SEED=… tells the same stories again, MODEL_RUNS=… more of them.

const folder = mkdtempSync(join(tmpdir(), 'dealdesk-model-'))
let store: Store
const customers = new Set<number>()

before(async () => {
  store = await openStore({ databaseUrl: join(folder, 'model.db'), currency: 'EUR' }, (cause) => assert.fail(cause))
  for (const name of ['Ana', 'Ben']) {
    const outcome = await store.changeCustomer({ kind: 'create', body: { name }, dryRun: false })
    assert.ok(outcome.kind === 'saved')
    customers.add(outcome.customer.id)
  }
})
after(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the store and a simple model tell the same story', async () => {
  const seed = process.env.MODEL_SEED === undefined ? {} : { seed: Number(process.env.MODEL_SEED) }
  await fc.assert(
    fc.asyncProperty(fc.array(sentence, { minLength: 1, maxLength: 60, size: 'max' }), async (story) => {
      const telling = begin()
      await tell(telling, { ...firstSentence })
      for (const each of story) await tell(telling, each)
    }),
    { numRuns: Number(process.env.MODEL_RUNS ?? 60), ...seed },
  )
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
  guard: 'none',
  dryRun: false,
  form: 'resource',
}

const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: usual, weight: 12 }, { arbitrary: odd, weight: 1 })
const words: fc.Arbitrary<unknown> = mostly(
  fc.constantFrom('x', ' y ', 'a\nb', '😀'),
  fc.constantFrom('', '  ', 'a'.repeat(10_001), '\0', 5, null, true),
)
const amounts: fc.Arbitrary<unknown> = mostly(
  fc.constantFrom(0, 0.1, 0.29, 1.15, 5, 1e12),
  fc.constantFrom(-1, 0.001, 0.30000000000000004, 1e13, '1', null),
)
const days: fc.Arbitrary<unknown> = mostly(
  fc.constantFrom('2027-01-01', '2028-02-28'),
  fc.constantFrom('2027-02-29', '2027-1-1', 20270101, ''),
)
const some = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 5 })
const someCustomer = fc.constantFrom<unknown>(1, 2, 1, 2, null, 999_999, 0, 1.5, 'x')
const stage = fc.constantFrom<unknown>('lead', 'qualified', 'proposal', 'negotiation', 'contract', 'contract', 'won')

const values: { readonly [param: string]: fc.Arbitrary<unknown> } = {
  name: words,
  price: amounts,
  currency: fc.constantFrom('EUR', 'CHF', 'XXX'),
  customerId: someCustomer,
  owner: some(words),
  description: words,
  stage,
  completionDate: some(days),
  reason: words,
  completedOn: days,
  acceptedBy: words,
  note: words,
  amercement: amounts,
  newPrice: amounts,
  newDate: days,
  whyChanged: words,
  newName: words,
  text: words,
  amount: amounts,
  reference: words,
}

/** The parameters that each operation needs, and those that it takes besides. */
const taken: { readonly [operation: string]: readonly [readonly string[], readonly string[]] } = {
  create: [
    ['name', 'price'],
    ['currency', 'customerId', 'owner', 'description', 'stage', 'completionDate'],
  ],
  hold: [['reason'], []],
  complete: [[], ['completedOn', 'acceptedBy', 'note']],
  cancel: [['reason'], ['amercement']],
  reopen: [['reason'], []],
  'change-price': [['newPrice', 'reason'], []],
  'change-completion-date': [['newDate', 'whyChanged'], ['amercement']],
  rename: [['newName'], []],
  describe: [['description'], []],
  assign: [['owner'], []],
  'change-customer': [['customerId'], []],
  move: [['stage'], []],
  'add-note': [['text'], []],
  'record-payment': [['amount'], ['reference']],
  'waive-amercement': [['reason'], ['amount']],
}

function paramsFor(operation: string): fc.Arbitrary<Doc> {
  const [needed, besides] = taken[operation] ?? [[], []]
  const all = Object.fromEntries([...needed, ...besides].map((name) => [name, values[name] ?? words]))
  const whole = fc.record(all, { requiredKeys: [...needed] }) as fc.Arbitrary<Doc>
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
    command: fc.option(fc.record({ n: fc.nat(3), by: fc.constantFrom('id' as const, 'key' as const) }), {
      freq: 1,
      nil: undefined,
    }),
    guard: fc.constantFrom<Sentence['guard']>('none', 'none', 'none', 'current', 'any', 'stale', 'required'),
    dryRun: mostly(fc.constant(false), fc.constant(true)),
    form: fc.constantFrom(...formNames),
  }),
)

interface Telling {
  readonly model: Model
  /** In the order of their making, so that a sentence can point at one. */
  readonly ids: string[]
  readonly commandIds: readonly string[]
}

const begin = (): Telling => ({
  model: emptyModel(customers),
  ids: [],
  commandIds: Array.from({ length: 4 }, () => randomUUID()),
})

async function tell(telling: Telling, sentence: Sentence): Promise<void> {
  const { model } = telling
  const asked = askedBy(telling, sentence)
  const expected = expect(model, asked)
  const outcome = await store.perform(intentOf(asked, sentence.form))
  const said = `${JSON.stringify(asked)} → ${JSON.stringify(outcome)}`

  if ('refused' in expected) {
    assert.equal(outcome.kind, 'refused', said)
    compareRefusal(expected, outcome as Extract<Outcome, { kind: 'refused' }>, said)
    if (expected.refused === 'wrong-state') remember(model, asked, { ...expected, replayed: true })
  } else {
    assert.equal(outcome.kind, 'applied', said)
    const applied = outcome as Extract<Outcome, { kind: 'applied' }>
    assert.equal(applied.replayed, 'replayed' in expected, said)
    if ('replayed' in expected) assert.deepEqual(JSON.parse(applied.deal.json), expected.replayed, said)
    else await compareApplied(telling, asked, expected, applied, sentence.form)
  }
  const touched = asked.deal
  if (touched !== undefined) await compareDeal(touched, model.deals.get(touched))
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
    change: changeBy(sentence, current),
    command: command && { id: commandIds[command.n] ?? '', by: command.by },
    revisions: revisions[guard],
    mustGuard: guard === 'required',
    dryRun: sentence.dryRun,
  }
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
    ...(deal !== undefined && { deal }),
    change,
    pointers: { deal: '/id', action: '', params: '' },
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
  assert.equal(refusal.code, refused, said)
  assert.equal(again, replayed, said)
  if (pointers !== undefined && refusal.code === 'invalid') {
    assert.deepEqual(new Set(refusal.faults.map(({ pointer }) => pointer)), pointers, said)
  }
}

async function compareApplied(
  { model, ids }: Telling,
  asked: Asked,
  { steps, before }: Extract<Expected, { steps: unknown }>,
  { deal, event, command }: Extract<Outcome, { kind: 'applied' }>,
  form: FormName,
): Promise<void> {
  const { id } = deal
  const first = Number(before?.revision ?? 0)
  assert.equal(deal.revision, first + steps.length)
  assert.equal(command?.id, asked.command?.id)
  const left = [...steps]
  let current = before
  for (let revision = first + 1; revision <= deal.revision; revision++) {
    const written = asked.dryRun ? (revision === deal.revision ? event : undefined) : await store.event(id, revision)
    // Of a dry run only the last event is told: the steps before it are taken in the model's order.
    const at = left.findIndex(({ operation }) => operation === (written?.operation ?? left[0]?.operation))
    const step = left[at]
    assert.ok(step, `${written?.operation} was not asked for`)
    if (step.operation === 'hold') assert.equal(left.length, 1)
    if (left.some(({ operation }) => operation === 'unhold')) assert.equal(step.operation, 'unhold')
    left.splice(at, 1)
    current = doStep(model, current, step, id, deal.updatedAt)
    if (written === undefined || asked.dryRun) continue
    assert.deepEqual(JSON.parse(written.deal), current)
    const { operation, params, revision: made, form: through, commandId } = JSON.parse(written.entry)
    assert.deepEqual(
      { operation, params, made, through, commandId },
      { ...step, made: revision, through: form, commandId: asked.command?.id },
    )
  }
  assert.ok(current)
  if (!asked.dryRun || steps.length < 2) assert.deepEqual(JSON.parse(deal.json), current)
  if (asked.dryRun) return
  if (before === undefined) ids.push(id)
  model.deals.set(id, current)
  remember(model, asked, { replayed: current })
  await compareDeal(id, current)
}

/** The deal that is read, its row and the end of its history. */
async function compareDeal(id: string, expected: Doc | undefined): Promise<void> {
  const stored = await store.deal(id)
  assert.deepEqual(stored && JSON.parse(stored.json), expected)
  if (stored === undefined) return
  const { revision, updatedAt, deletedAt } = stored
  assert.deepEqual({ revision, updatedAt, deletedAt }, pick(expected))
  assert.equal((await store.event(id, revision))?.deal, stored.json)
  assert.equal(await store.event(id, revision + 1), undefined)
}

const pick = ({ revision, updatedAt, deletedAt }: Doc = {}): Doc => ({ revision, updatedAt, deletedAt })
