import { bySchema } from '../../model/by-schema.ts'
import { decideManaged, managedNamed, managedOperation } from '../../model/managed/decide-managed.ts'
import type { Effect, ManagedIntent } from '../../model/managed/managed-operation.ts'
import type { ManagedOperation, ManagedResource, Schema } from '../../model/schema.ts'
import { conditionFaults } from '../../queries/parse/condition.ts'
import type { ManagedOutcome } from '../port/managed.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import { auditWriter } from './accounts/audit-entries.ts'
import { keyKeeper, sessionKeeper } from './accounts/keep-credentials.ts'
import { userKeeper } from './accounts/keep-users.ts'
import { userWork } from './accounts/users.ts'
import { uploadKeeper } from './imports/keep-uploads.ts'
import type { Keeper, KeeperRefusal, KeptBefore } from './keeper.ts'
import { tableKeeper } from './table-keeper.ts'
import type { TableStatements } from './table-statements.ts'
import { deliveryKeeper, webhookKeeper } from './webhooks/keep-webhooks.ts'
import type { Work } from './work.ts'

/** All operations on managed things. */
export function managedWorks(dialect: SqlDialect, tables: TableStatements, schema: Schema) {
  const audit = auditWriter(dialect)
  const { any } = userWork(dialect, audit)
  const own: { readonly [name: string]: Keeper } = {
    user: userKeeper(dialect),
    key: keyKeeper(dialect),
    session: sessionKeeper(dialect),
    webhook: webhookKeeper(dialect),
    delivery: deliveryKeeper(dialect),
    import: uploadKeeper(dialect, tables, schema),
  }
  const keeperOf = bySchema((resource: ManagedResource): Keeper => own[resource.name] ?? tableKeeper(dialect, resource))

  function* tell(
    { audit: told = {} }: ManagedOperation,
    { author }: ManagedIntent,
    kept: unknown,
    facts: object,
    effect: Effect<unknown, unknown>,
  ): Work<void> {
    for (const [event, { of }] of Object.entries(told)) {
      for (const note of [of(kept, facts, effect as never) ?? []].flat()) yield* audit(event, note, author)
    }
  }

  return {
    *manage(intent: ManagedIntent): Work<ManagedOutcome> {
      const operation = managedOperation(schema, intent)
      const keeper = keeperOf(managedNamed(schema, intent.on))
      const keep = keeper.keep[operation.name]
      if (keep === undefined) throw new Error(`nobody keeps what it is to ${operation.name} a ${intent.on}`)
      // Another instance, or the command line, may have added the first user since the caller was admitted.
      if (intent.manager.role === null && (yield* any())) {
        return { kind: 'refused', refusal: { code: 'no-longer-open' } }
      }
      const facts = yield* keeper.find(intent)
      if (isRefused(facts)) return { kind: 'refused', refusal: facts.refused }
      const verdict = decideManaged(operation, intent, facts, {
        now: new Date().toISOString(),
        conditionFaults: conditionFaults(schema),
      })
      if (verdict.kind !== 'apply') return verdict
      const { effect, thing } = verdict
      const { values } = effect
      if (intent.dryRun) return { kind: 'applied', facts, values, thing }
      const kept = yield* keep(thing as never, { ...intent, params: values }, facts as never)
      if (isRefused(kept)) return { kind: 'refused', refusal: kept.refused }
      if (isBefore(kept)) return { kind: 'applied', facts, values, thing: kept.before }
      yield* tell(operation, intent, kept, facts, effect)
      return { kind: 'applied', facts, values, thing: kept }
    },
  }
}

const isRefused = (found: unknown): found is KeeperRefusal =>
  typeof found === 'object' && found !== null && 'refused' in found

const isBefore = (kept: unknown): kept is KeptBefore => typeof kept === 'object' && kept !== null && 'before' in kept
