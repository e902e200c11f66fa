import { randomFillSync } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { type CustomerChange, decideCustomerChange } from '../../model/customer/change.ts'
import { dealToJson } from '../../model/deal/deal.ts'
import { type Command, customersNamed, dealSought, decideIntent, type Intent } from '../../model/perform.ts'
import { uuidV7 } from '../../values/uuid.ts'
import type { CustomerOutcome, Outcome } from '../port/store.ts'
import { eventRow } from '../rows/event.ts'
import { dealAfter, storedCustomer, storedDeal } from '../rows/stored.ts'
import { commandRows } from './command-rows.ts'
import { customerRows } from './customer-rows.ts'
import { dealRows } from './deal-rows.ts'
import { eventRows } from './event-rows.ts'

/** Reads, decides and writes on one connection; the caller holds the transaction around it. */
export interface Decider {
  perform(intent: Intent): Outcome
  changeCustomer(change: CustomerChange): CustomerOutcome
}

export function openDecider(db: DatabaseSync, settings: { readonly currency: string }): Decider {
  const deals = dealRows(db)
  const customers = customerRows(db)
  const events = eventRows(db)
  const commands = commandRows(db)

  return {
    perform(intent) {
      const sought = dealSought(intent)
      const before = sought === undefined ? undefined : deals.find(sought)
      const verdict = decideIntent(intent, {
        deal: before,
        ...(before && intent.guard.unmodifiedSince !== undefined && { previousAt: deals.previousAt(before.id) }),
        command: intent.command && commands.find(intent.command.id),
        customers: new Set(customersNamed(intent).filter(customers.exists)),
        now: new Date().toISOString(),
        newId: newDealId(),
        currency: settings.currency,
      })
      if (verdict.kind === 'replay') return replay(verdict.command)
      const { command } = verdict
      if (command !== undefined && !intent.dryRun) commands.insert(command)
      if (verdict.kind === 'refuse') return { kind: 'refused', refusal: verdict.refusal, replayed: false }
      const { deal } = verdict
      const json = dealToJson(deal)
      if (!intent.dryRun && verdict.events.length > 0) {
        if (before === undefined) deals.insert(deal, json)
        else deals.update(before, deal, json)
      }
      const written = verdict.events.map((event) => {
        const row = eventRow(event, event.deal === deal ? json : dealToJson(event.deal))
        if (!intent.dryRun) events.insert(row)
        return row.stored
      })
      return { kind: 'applied', deal: storedDeal(deal, json), event: written.at(-1), command, replayed: false }
    },

    changeCustomer(change) {
      const id = change.kind === 'create' ? undefined : change.id
      const verdict = decideCustomerChange(change, {
        customer: id === undefined ? undefined : customers.find(id),
        ...(change.kind !== 'create' &&
          change.guard.unmodifiedSince !== undefined && { previousAt: customers.previousAt(change.id) }),
        inUse: change.kind === 'delete' && customers.inUse(change.id),
        now: new Date().toISOString(),
      })
      if ('refused' in verdict) return { kind: 'refused', refusal: verdict.refused }
      if ('keep' in verdict) return { kind: 'kept', customer: storedCustomer(verdict.keep) }
      if ('remove' in verdict) {
        if (!change.dryRun) customers.remove(verdict.remove.id)
        return { kind: 'removed', customer: storedCustomer(verdict.remove) }
      }
      if (!change.dryRun) return { kind: 'saved', customer: customers.save(verdict.save) }
      return { kind: 'saved', customer: storedCustomer({ ...verdict.save, id: verdict.save.id ?? customers.nextId() }) }
    },
  }

  /** A decided command gives its first outcome again: the deal as the command left it. */
  function replay(command: Command): Outcome {
    if (command.refusal !== null) return { kind: 'refused', refusal: command.refusal, replayed: true }
    const event = events.find(command.deal, command.revision)
    if (event === undefined) throw new Error(`command ${command.id} has no event ${command.revision}`)
    return { kind: 'applied', deal: dealAfter(event), event, command, replayed: true }
  }
}

const random = new Uint8Array(10)
const newDealId = (): string => uuidV7(Date.now(), randomFillSync(random))
