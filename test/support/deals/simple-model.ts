// A deal desk as simple as the contract reads: plain objects in memory, nothing of the service's own rules.
// Amounts are shown as the documents show them; sums are done in thousandths.

export type Doc = { readonly [field: string]: unknown }

export interface Asked {
  /** Nothing for none; an id that nobody has is unknown. */
  readonly deal: string | undefined
  readonly change: { readonly action: string; readonly params: Doc } | { readonly attributes: Doc }
  readonly command: { readonly id: string; readonly by: 'id' | 'key' } | undefined
  readonly revisions: readonly number[] | 'any' | undefined
  readonly mustGuard: boolean
  readonly dryRun: boolean
}

/** What must come out. The operations of an attribute update may come in any order, but for unhold and hold. */
export type Expected =
  | { readonly refused: string; readonly pointers?: ReadonlySet<string>; readonly replayed?: boolean }
  | { readonly replayed: Doc }
  | { readonly steps: readonly Step[]; readonly before: Doc | undefined }

export interface Step {
  readonly operation: string
  readonly params: Doc
}

export interface Model {
  readonly deals: Map<string, Doc>
  readonly customers: ReadonlySet<number>
  readonly commands: Map<string, { readonly content: string; readonly answer: Expected }>
}

export const emptyModel = (customers: ReadonlySet<number>): Model => ({
  deals: new Map(),
  customers,
  commands: new Map(),
})

export function expect(model: Model, asked: Asked): Expected {
  const { deal: id, change, command } = asked
  const operation = 'action' in change ? named(change.action) : undefined
  const creates = operation === 'create'
  if (command !== undefined) {
    const known = model.commands.get(command.id)
    if (known?.content === contentOf(asked)) return known.answer
    if (known !== undefined) return { refused: command.by === 'id' ? 'command-id-reused' : 'idempotency-key-reused' }
  }
  if (id === undefined && !creates) {
    return { refused: 'action' in change && operation === undefined ? 'unknown-action' : 'invalid' }
  }
  const deal = id === undefined ? undefined : model.deals.get(id)
  if (id !== undefined) {
    if (deal === undefined) return { refused: 'deal-not-found' }
    if (deal.deletedAt !== null && operation !== 'restore') return { refused: 'deal-deleted' }
  }
  if (deal === undefined) {
    if (asked.revisions !== undefined) return { refused: 'precondition-failed' }
  } else {
    if (asked.revisions === undefined && asked.mustGuard) return { refused: 'revision-required' }
    const { revisions = 'any' } = asked
    if (revisions !== 'any' && !revisions.includes(Number(deal.revision))) return { refused: 'stale-revision' }
  }
  if ('attributes' in change) return expectUpdate(model, deal ?? {}, change.attributes)
  if (operation === undefined || (creates && deal !== undefined)) return { refused: 'unknown-action' }
  const outcome = attempt(model, deal, operation, change.params)
  if (!('after' in outcome)) return outcome
  if (isTaken(model, deal, outcome.after)) return { refused: 'not-unique' }
  return { steps: [{ operation, params: outcome.params }], before: deal }
}

/** Whether another deal, deleted or not, has the new reference. */
const isTaken = ({ deals }: Model, before: Doc | undefined, { reference = null }: Doc): boolean =>
  reference !== null &&
  reference !== before?.reference &&
  deals.values().some((other) => other.id !== before?.id && other.reference === reference)

/** The deal after a step that was found to be allowed, at the moment when it happened. */
export function doStep(model: Model, deal: Doc | undefined, { operation, params }: Step, id: string, at: string): Doc {
  const outcome = attempt(model, deal, operation, params, at)
  if (!('after' in outcome)) throw new Error(`the model refuses its own step ${operation}`)
  const created = deal === undefined ? { id, createdAt: at } : {}
  return { ...outcome.after, ...created, updatedAt: at, revision: Number(deal?.revision ?? 0) + 1 }
}

/** The parameters that the event of a step has, if it happened at that moment. */
export function writtenParams({ operation, params }: Step, at: string): Doc {
  const { orNow } = rules[operation] ?? {}
  return orNow === undefined ? params : { [orNow]: at, ...params }
}

/** What makes two requests under one id the same. */
export function contentOf({ deal, change }: Asked): string {
  if ('attributes' in change) return sorted({ deal, update: change.attributes })
  const operation = named(change.action)
  const rule = rules[operation ?? '']
  const read = rule && readParams(rule, change.params)
  return sorted({
    deal,
    operation: operation ?? change.action,
    params: read?.pointers.size === 0 ? read.params : change.params,
  })
}

const named = (word: string): string | undefined =>
  Object.keys(rules).find((name) => name === word || rules[name]?.action === word)

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}

type Attempt = { readonly after: Doc; readonly params: Doc } | { refused: string; pointers?: ReadonlySet<string> }

function attempt(model: Model, deal: Doc | undefined, operation: string, raw: Doc, at = '0'): Attempt {
  const rule = rules[operation]
  if (rule === undefined) throw new Error(`the model has no ${operation}`)
  const { params, pointers } = readParams(rule, raw, String(deal?.currency ?? 'EUR'))
  if (rule.needsOne && !Object.keys(raw).some((name) => Object.hasOwn(rule.params, `${name}?`))) pointers.add('')
  const { customerId = null } = params
  if (customerId !== null && !model.customers.has(Number(customerId))) pointers.add('/customerId')
  if (pointers.size > 0) return { refused: 'invalid', pointers }
  if (deal !== undefined && !rule.allowed(deal)) return { refused: 'wrong-state' }
  const changes = rule.effect(deal ?? {}, params, at)
  if (typeof changes === 'string') return { refused: 'invalid', pointers: new Set([`/${changes}`]) }
  return { after: { ...deal, ...changes }, params }
}

type Reader = (raw: unknown, currency: string) => { readonly value: unknown } | undefined

const text =
  (longest: number, shortest = 1): Reader =>
  (raw) => {
    if (typeof raw !== 'string' || raw.includes('\0') || raw.length > longest) return undefined
    return shortest === 0 || raw.replaceAll(/[\s\u200b]/g, '') !== '' ? { value: raw } : undefined
  }
const calling: Reader = (raw, currency) => text(200)(typeof raw === 'string' ? raw.trim() : raw, currency)
const decimals: { readonly [currency: string]: number } = { JPY: 0, EUR: 2, CHF: 2, KWD: 3 }
const amount =
  (least: number): Reader =>
  (raw, currency) => {
    if (typeof raw !== 'number' || raw < least || raw > 1e12) return undefined
    const [, fraction = ''] = String(raw).split('.')
    return fraction.length <= (decimals[currency] ?? 3) && !String(raw).includes('e') ? { value: raw } : undefined
  }
const day: Reader = (raw) =>
  typeof raw === 'string' && /^20(2[678])-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])$/.test(raw) ? { value: raw } : undefined
const pastDay: Reader = (raw) => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  return String(raw) <= tomorrow ? day(raw, '') : undefined
}
const pastInstant: Reader = (raw) =>
  /^20\d\d-[\d-]{5}T[\d:]{8}\.\d{3}Z$/.test(String(raw)) && pastDay(String(raw).slice(0, 10), '') !== undefined
    ? { value: raw }
    : undefined
const oneOf =
  (...words: readonly unknown[]): Reader =>
  (raw) =>
    words.includes(raw) ? { value: raw } : undefined
const orNull =
  (reader: Reader): Reader =>
  (raw, currency) =>
    raw === null ? { value: null } : reader(raw, currency)
const customer: Reader = (raw) => (Number.isInteger(raw) && Number(raw) >= 1 ? { value: raw } : undefined)
const stage = oneOf('lead', 'qualified', 'proposal', 'negotiation', 'contract')
const reason = text(1000)

interface Rule {
  readonly action: string
  /** `name?` may be absent; `name=` is then what `otherwise` says. */
  readonly params: { readonly [name: string]: Reader }
  readonly otherwise?: Doc
  /** Whether at least one parameter must be sent. */
  readonly needsOne?: true
  /** The parameter that is the moment of the write if it is absent. It is then no part of what was asked. */
  readonly orNow?: string
  readonly allowed: (deal: Doc) => boolean
  /** The changed fields, or the parameter that goes too far. */
  readonly effect: (deal: Doc, params: Doc, at: string) => Doc | string
}

function readParams(
  { params: known, otherwise = {} }: Rule,
  raw: Doc,
  of = 'any',
): { params: Doc; pointers: Set<string> } {
  const currency = String(raw.currency ?? of)
  const params: Record<string, unknown> = {}
  const pointers = new Set<string>()
  for (const [word, read] of Object.entries(known)) {
    const name = word.replace(/[?=]$/, '')
    const value = Object.hasOwn(raw, name)
      ? read(raw[name], currency)
      : word.endsWith('=')
        ? { value: otherwise[name] }
        : undefined
    if (value !== undefined) params[name] = value.value
    else if (Object.hasOwn(raw, name) || word === name) pointers.add(`/${name}`)
  }
  const names = Object.keys(known).map((word) => word.replace(/[?=]$/, ''))
  for (const name of Object.keys(raw)) if (!names.includes(name)) pointers.add(`/${name}`)
  return { params, pointers }
}

const open = (deal: Doc): boolean => deal.status === 'open'
const free = (deal: Doc): boolean => open(deal) && deal.held === false
const shelvable = (deal: Doc): boolean => !open(deal) && deal.archived === false
const always = (): boolean => true

const plus = (a: unknown, b: unknown): number => (Math.round(Number(a) * 1000) + Math.round(Number(b) * 1000)) / 1000
const charge = (deal: Doc, params: Doc, changes: Doc): Doc | string => {
  const amercement = plus(deal.amercement, params.amercement)
  return amercement > LARGEST_TOTAL ? 'amercement' : { ...changes, amercement }
}
const LARGEST_TOTAL = 9e12

/** The contract's table of operations. */
const rules: { readonly [operation: string]: Rule } = {
  create: {
    action: 'CreateDeal',
    params: {
      name: calling,
      price: amount(0),
      'currency=': oneOf('EUR', 'CHF', 'JPY', 'KWD'),
      'customerId=': orNull(customer),
      'owner=': orNull(calling),
      'description=': text(10_000, 0),
      'pipeline=': oneOf('sales'),
      'stage=': stage,
      'completionDate=': orNull(day),
      'reference=': orNull(text(100)),
    },
    otherwise: {
      ...{ currency: 'EUR', customerId: null, owner: null, description: '', pipeline: 'sales', stage: 'lead' },
      ...{ completionDate: null, reference: null },
    },
    allowed: always,
    effect: (_, params) => ({
      ...params,
      status: 'open',
      held: false,
      holdReason: null,
      archived: false,
      amercement: 0,
      paid: 0,
      completedOn: null,
      acceptedBy: null,
      closingReason: null,
      deletedAt: null,
    }),
  },
  delete: { action: 'DeleteDeal', params: {}, allowed: always, effect: (_, __, at) => ({ deletedAt: at }) },
  restore: {
    action: 'RestoreDeal',
    params: {},
    allowed: (deal) => deal.deletedAt !== null,
    effect: () => ({ deletedAt: null }),
  },
  hold: {
    action: 'HoldDeal',
    params: { reason },
    allowed: open,
    effect: (_, params) => ({ held: true, holdReason: params.reason }),
  },
  unhold: {
    action: 'UnholdDeal',
    params: {},
    allowed: (deal) => deal.held === true,
    effect: () => ({ held: false, holdReason: null }),
  },
  complete: {
    action: 'CompleteDeal',
    params: { 'completedOn?': pastDay, 'acceptedBy?': calling, 'note?': text(5000) },
    allowed: free,
    effect: (_, { completedOn, acceptedBy = null }, at) => ({
      status: 'completed',
      completedOn: completedOn ?? at.slice(0, 10),
      acceptedBy,
    }),
  },
  cancel: {
    action: 'CancelDeal',
    params: { 'amercement=': amount(0), reason },
    otherwise: { amercement: 0 },
    allowed: open,
    effect: (deal, params) =>
      charge(deal, params, { status: 'cancelled', held: false, holdReason: null, closingReason: params.reason }),
  },
  reopen: {
    action: 'ReopenDeal',
    params: { reason },
    allowed: shelvable,
    effect: () => ({ status: 'open', completedOn: null, acceptedBy: null, closingReason: null }),
  },
  archive: { action: 'ArchiveDeal', params: {}, allowed: shelvable, effect: () => ({ archived: true }) },
  unarchive: {
    action: 'UnarchiveDeal',
    params: {},
    allowed: (deal) => deal.archived === true,
    effect: () => ({ archived: false }),
  },
  'change-price': {
    action: 'ChangeDealPrice',
    params: { newPrice: amount(0), reason },
    allowed: free,
    effect: (_, { newPrice }) => ({ price: newPrice }),
  },
  'change-completion-date': {
    action: 'ChangeDealCompletionDate',
    params: { newDate: orNull(day), 'amercement=': amount(0), whyChanged: reason },
    otherwise: { amercement: 0 },
    allowed: free,
    effect: (deal, params) => charge(deal, params, { completionDate: params.newDate }),
  },
  rename: {
    action: 'RenameDeal',
    params: { newName: calling },
    allowed: open,
    effect: (_, { newName }) => ({ name: newName }),
  },
  describe: {
    action: 'DescribeDeal',
    params: { description: text(10_000, 0) },
    allowed: (deal) => deal.archived === false,
    effect: (_, params) => params,
  },
  assign: { action: 'AssignDeal', params: { owner: orNull(calling) }, allowed: open, effect: (_, params) => params },
  'change-customer': {
    action: 'ChangeDealCustomer',
    params: { customerId: orNull(customer) },
    allowed: free,
    effect: (_, params) => params,
  },
  move: {
    action: 'MoveDeal',
    params: { 'stage?': stage, 'pipeline?': oneOf('sales') },
    needsOne: true,
    allowed: free,
    effect: (_, params) => params,
  },
  'add-note': {
    action: 'AddDealNote',
    params: { text: text(5000), 'kind=': oneOf('note', 'call', 'meeting', 'mail'), 'happenedAt?': pastInstant },
    otherwise: { kind: 'note' },
    orNow: 'happenedAt',
    allowed: always,
    effect: () => ({}),
  },
  'record-payment': {
    action: 'RecordDealPayment',
    params: { amount: amount(0.001), 'reference?': text(200) },
    allowed: (deal) => deal.archived === false,
    effect: (deal, params) => {
      const paid = plus(deal.paid, params.amount)
      return paid > LARGEST_TOTAL ? 'amount' : { paid }
    },
  },
  'waive-amercement': {
    action: 'WaiveDealAmercement',
    params: { 'amount?': amount(0.001), reason },
    allowed: (deal) => Number(deal.amercement) > 0,
    effect: ({ amercement }, { amount = amercement }) =>
      Number(amount) > Number(amercement) ? 'amount' : { amercement: plus(amercement, -Number(amount)) },
  },
  'set-fields': {
    action: 'SetDealFields',
    params: { 'reference?': orNull(text(100)) },
    allowed: (deal) => deal.archived === false,
    effect: (_, params) => params,
  },
}

export const operationNames: readonly string[] = Object.keys(rules)
export const actionOf = (operation: string): string => rules[operation]?.action ?? operation

/** What each field looks like; those that an update may set, and how it is then asked for. */
const fields: { readonly [field: string]: Reader } = {
  name: calling,
  price: amount(0),
  completionDate: orNull(day),
  stage,
  owner: orNull(calling),
  customerId: orNull(customer),
  description: text(10_000, 0),
  reference: orNull(text(100)),
  held: oneOf(true, false),
  holdReason: orNull(reason),
}

const operationFor: { readonly [field: string]: (value: unknown) => Step } = {
  name: (newName) => ({ operation: 'rename', params: { newName } }),
  price: (newPrice) => ({ operation: 'change-price', params: { newPrice, reason: 'attribute update' } }),
  completionDate: (newDate) => ({
    operation: 'change-completion-date',
    params: { newDate, amercement: 0, whyChanged: 'attribute update' },
  }),
  stage: (stage) => ({ operation: 'move', params: { stage } }),
  owner: (owner) => ({ operation: 'assign', params: { owner } }),
  customerId: (customerId) => ({ operation: 'change-customer', params: { customerId } }),
  description: (description) => ({ operation: 'describe', params: { description } }),
  reference: (reference) => ({ operation: 'set-fields', params: { reference } }),
}

function expectUpdate(model: Model, deal: Doc, { links: _, ...body }: Doc): Expected {
  if (body.revision !== undefined && body.revision !== deal.revision) return { refused: 'stale-revision' }
  const wanted: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(body)) {
    if (value === deal[name]) continue
    const read = fields[name]?.(value, 'any')
    if (read !== undefined) wanted[name] = read.value
    else return { refused: 'invalid' }
  }
  const steps: Step[] = []
  if (deal.held === true && wanted.held === false) steps.push({ operation: 'unhold', params: {} })
  for (const [name, toStep] of Object.entries(operationFor)) {
    if (name in wanted && wanted[name] !== deal[name]) steps.push(toStep(wanted[name]))
  }
  const { held = deal.held, holdReason = deal.holdReason } = wanted
  const sameReason = holdReason === deal.holdReason
  if (held === false && !sameReason && holdReason !== null) return { refused: 'invalid' }
  if (held === true && !(deal.held === true && sameReason)) {
    steps.push({ operation: 'hold', params: holdReason === null ? {} : { reason: holdReason } })
  }
  let refused: Expected | undefined
  let current: Doc = deal
  for (const { operation, params } of steps) {
    const outcome = attempt(model, current, operation, params)
    if ('after' in outcome) current = outcome.after
    else if (outcome.refused === 'invalid') return { refused: 'invalid' }
    else refused ??= outcome
  }
  if (refused === undefined && isTaken(model, deal, current)) return { refused: 'not-unique' }
  return refused ?? { steps, before: deal }
}
