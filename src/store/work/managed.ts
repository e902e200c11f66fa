import { decideManaged, type ManagedIntent } from '../../model/managed/managed-operation.ts'
import { managedOperation } from '../../model/managed/managed-operations.ts'
import type { ManagedName } from '../../model/managed/refusal.ts'
import type { Schema } from '../../model/schema.ts'
import type { ManagedOutcome } from '../port/managed.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import { accountWorks } from './accounts/account-store.ts'
import { keyKeeper, sessionKeeper, userKeeper } from './accounts/keep-users.ts'
import type { Keeper, KeeperRefusal } from './keeper.ts'
import { deliveryKeeper, webhookKeeper } from './webhooks/keep-webhooks.ts'
import type { Work } from './work.ts'

/** All operations on managed things. */
export function managedWorks(dialect: SqlDialect, schema: Schema) {
  const accounts = accountWorks(dialect)
  const keepers: Readonly<Record<ManagedName, Keeper>> = {
    user: userKeeper(accounts),
    key: keyKeeper(accounts),
    session: sessionKeeper(dialect, accounts),
    webhook: webhookKeeper(dialect),
    delivery: deliveryKeeper(dialect),
  }
  return {
    *manage(intent: ManagedIntent): Work<ManagedOutcome> {
      const keeper = keepers[intent.on]
      const operation = managedOperation(intent)
      const keep = keeper.keep[operation.name]
      if (keep === undefined) throw new Error(`nobody keeps what it is to ${operation.name} a ${intent.on}`)
      const facts = yield* keeper.find(intent)
      if (isRefused(facts)) return { kind: 'refused', refusal: facts.refused }
      const verdict = decideManaged(operation, intent, facts, schema, new Date().toISOString())
      if (verdict.kind !== 'apply') return verdict
      const { values, thing } = verdict
      if (intent.dryRun) return { kind: 'applied', facts, values, thing }
      const kept = yield* keep(thing as never, { ...intent, params: values }, facts as never)
      if (isRefused(kept)) return { kind: 'refused', refusal: kept.refused }
      return { kind: 'applied', facts, values, thing: kept }
    },
  }
}

const isRefused = (found: unknown): found is KeeperRefusal =>
  typeof found === 'object' && found !== null && 'refused' in found
