import { bySchema } from '../../../model/declaration/by-schema.ts'
import { valueIn } from '../../../model/declaration/operation.ts'
import type { Refusal } from '../../../model/declaration/refusal.ts'
import type { Thing } from '../../../model/declaration/resource.ts'
import type { Operation, Resource, Schema } from '../../../model/declaration/schema.ts'
import type { IntentBatch } from '../../../model/intent/batch.ts'
import type { DecisionFacts, Intent } from '../../../model/intent/intent.ts'
import type { Person } from '../../../model/nouns/user/person.ts'
import { decideIntent } from '../../../model/perform/perform.ts'
import { operationNamed, resourceNamed } from '../../../model/schema/resources.ts'
import { concernsRights } from '../../../model/schema/stored-model.ts'
import { conditionFaults } from '../../../queries/parse/condition.ts'
import { orderedIds } from '../../port/ordered-ids.ts'
import type { BatchOutcome, Outcome, Preparation } from '../../port/store.ts'
import type { SqlDialect } from '../../sql/dialect.ts'
import { auditWriter } from '../accounts/audit-entries.ts'
import { keyStorage, sessionStorage } from '../accounts/credential-storage.ts'
import { userStorage } from '../accounts/user-storage.ts'
import { userWork } from '../accounts/users.ts'
import { uploadStorage } from '../imports/upload-storage.ts'
import { modelChanger } from '../model/stored-model.ts'
import type { Effect, EffectResult, Found, Storage, StoredChange } from '../storage.ts'
import type { TableStatements } from '../table-statements.ts'
import { deliveryStorage, webhookStorage } from '../webhooks/webhook-storage.ts'
import type { Work } from '../work.ts'
import { roleStorage, teamStorage } from './rights-storage.ts'
import { rowWriter, tableStorage } from './table-storage.ts'

/** Intents about things that the audit tells of: found, decided as any other, written and recorded. decisions/0033 */
export function auditedWorks(dialect: SqlDialect, tables: TableStatements, schema: Schema) {
  const audit = auditWriter(dialect)
  const { any } = userWork(dialect, audit)
  const own: { readonly [name: string]: Storage } = {
    user: userStorage(dialect, schema),
    key: keyStorage(dialect),
    session: sessionStorage(dialect),
    webhook: webhookStorage(dialect),
    delivery: deliveryStorage(dialect),
    import: uploadStorage(dialect, tables, schema),
    team: teamStorage(dialect, resourceNamed(schema, 'team')),
    role: roleStorage(dialect, resourceNamed(schema, 'role')),
  }
  const changeModel = modelChanger(dialect, schema)
  const storageOf = bySchema((resource: Resource): Storage => own[resource.name] ?? tableStorage(dialect, resource))
  const writerOf = bySchema((resource: Resource) => rowWriter(dialect, resource))

  /** Writes a change and its entries of the audit. */
  function* write(operation: Operation, change: StoredChange): Work<Outcome> {
    const { on } = operation
    const { before, after } = change
    const effect: Effect = storageOf(on).effects?.[operation.name] ?? rowAlone
    const result: EffectResult = yield* effect(change as never, () => writerOf(on)(operation, before, after))
    if (result !== undefined && 'refused' in result) return refused(result.refused)
    if (result !== undefined && 'earlier' in result) return applied(on, result.earlier)
    const stored = result !== undefined && 'thing' in result ? result.thing : after
    yield* tell(operation, { ...change, ...result, after: stored })
    if (concernsRights(schema, on) && isOfRights(operation, before, stored)) yield* changeModel()
    return applied(on, stored)
  }

  function* tell({ audit: entries = {} }: Operation, { after, intent, ...change }: StoredChange): Work<void> {
    const { actor, key, address = null } = intent
    for (const [event, { of }] of Object.entries(entries)) {
      const notes = of(after as never, change as never) ?? []
      for (const note of [notes].flat()) yield* audit(event, note, { actor, key, address })
    }
  }

  return {
    *decide(intent: Intent): Work<Outcome | Preparation> {
      const resource = resourceNamed(schema, intent.resource)
      // Another instance, or the command line, may have added the first user since the caller was admitted.
      if (intent.caller === undefined && (yield* any())) return refused({ code: 'no-longer-open' })
      const found = yield* storageOf(resource).find(intent)
      if ('refused' in found) return refused(found.refused)
      const facts = factsOf(resource, found)
      const verdict = decideIntent(intent, facts)
      if (verdict.kind === 'refuse') return refused(verdict.refusal)
      if (verdict.kind === 'prepare') return verdict
      if (verdict.kind === 'replay') throw new Error(`a ${resource.name} has no commands`)
      const { thing: after, events } = verdict
      const [event] = events
      const operation = event && operationNamed(event.operation.name, resource)
      if (operation === undefined || intent.dryRun) return applied(resource, after)
      const { thing: before = after, known } = facts
      const { prepared } = intent
      return yield* write(operation, { before, after, params: event?.params ?? {}, known, prepared, intent })
    },
  }

  function factsOf(resource: Resource, { thing, known, people = NOBODY }: Found): DecisionFacts {
    return {
      resource,
      thing: thing && identified(resource, thing),
      ...(thing && { previousAt: (valueIn(thing, 'previousAt') ?? null) as string | null }),
      known,
      conditionFaults: conditionFaults(schema),
      now: new Date().toISOString(),
      newId,
      ...NOTHING_ELSE,
      people: () => people,
    }
  }
}

/** Of users only who there is, and their roles: everything about a team or a role. */
const isOfRights = ({ on, removes, to }: Operation, before: object, after: object): boolean =>
  on.shapes !== undefined ||
  removes === true ||
  to === 'nothing' ||
  ['role', 'disabled'].some((field) => valueIn(before, field) !== valueIn(after, field))

const newId = orderedIds()

/** These things have no commands, and refer to nothing. */
const NOTHING_ELSE = {
  command: undefined,
  exists: () => true,
  idBy: () => undefined,
  related: () => undefined,
  queryFaults: () => [],
  heldBy: [],
  defaults: {},
} as const

const NOBODY: readonly Person[] = []

/** A thing in memory has its key as its id, unless its key is a name in addition to the id. */
const identified = ({ key, uniques }: Resource, thing: object): Thing =>
  (uniques.includes(key) ? thing : { ...thing, id: valueIn(thing, key) }) as unknown as Thing

function* rowAlone(_change: StoredChange, row: () => Work<void>): Work<EffectResult> {
  yield* row()
  return undefined
}

const refused = (refusal: Refusal): Outcome => ({ kind: 'refused', refusal, replayed: false })

function applied(resource: Resource, thing: object): Outcome {
  const stored = { ...identified(resource, thing), json: resource.toJson(thing as never) }
  return {
    kind: 'applied',
    thing: stored,
    removed: false,
    made: false,
    event: undefined,
    command: undefined,
    replayed: false,
  }
}

/** Performs batches: an intent about what the audit tells of comes alone. */
export const withAudited =
  (
    schema: () => Schema,
    { decide }: { readonly decide: (intent: Intent) => Promise<Outcome | Preparation> },
    catchUp: () => Promise<void>,
    perform: (batch: IntentBatch) => Promise<BatchOutcome>,
  ) =>
  async (batch: IntentBatch): Promise<BatchOutcome> => {
    const [intent] = batch.intents
    const resource = typeof intent === 'object' ? schema().byName.get(intent.resource) : undefined
    if (resource?.feed !== 'audit') return perform(batch)
    const outcome = await decide(intent as Intent)
    // The answer says what its reader may see.
    if (concernsRights(schema(), resource) && !batch.dryRun) await catchUp().catch(() => {})
    return { isKept: !batch.dryRun, outcomes: [outcome] }
  }
