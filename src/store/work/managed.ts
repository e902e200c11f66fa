import { decideManaged, type ManagedIntent } from '../../model/managed/managed-operation.ts'
import { managedOperation } from '../../model/managed/managed-operations.ts'
import type { ManagedOutcome } from '../port/managed.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import { auditWriter } from './accounts/audit-entries.ts'
import type { Keeper } from './keeper.ts'
import { deliveryKeeper, webhookKeeper } from './webhooks/keep-webhooks.ts'
import type { Work } from './work.ts'

/** Everything that is done to what is managed. */
export type ManagedWorks = ReturnType<typeof managedWorks>

export function managedWorks(dialect: SqlDialect) {
  const audit = auditWriter(dialect)
  const keepers: { readonly [on: string]: Keeper } = {
    webhook: webhookKeeper(dialect),
    delivery: deliveryKeeper(dialect),
  }
  return {
    *manage(intent: ManagedIntent): Work<ManagedOutcome> {
      const keeper = keepers[intent.on]
      const operation = managedOperation(intent)
      const keep = keeper?.keep[operation.name]
      if (keeper === undefined || keep === undefined) throw new Error(`nobody keeps what is done to a ${intent.on}`)
      const facts = yield* keeper.find(intent.target)
      if ('missing' in facts) return { kind: 'refused', refusal: facts.missing }
      const verdict = decideManaged(operation, intent, facts, new Date().toISOString())
      if (verdict.kind !== 'apply') return verdict
      const { values, thing, notes } = verdict
      if (intent.dryRun) return { kind: 'applied', facts, values, thing }
      const kept = yield* keep(thing as never, intent, facts as never)
      for (const { event, ...about } of notes) yield* audit(event, about, intent.author)
      return { kind: 'applied', facts, values, thing: kept }
    },
  }
}
