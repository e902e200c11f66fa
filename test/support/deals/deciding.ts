import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { tell } from '../../../src/languages/tell.ts'
import type { Refusal } from '../../../src/model/declaration/refusal.ts'
import type { DecisionFacts, Intent, Verdict } from '../../../src/model/intent/intent.ts'
import type { Deal } from '../../../src/model/nouns/deal/deal.ts'
import { decideIntent } from '../../../src/model/perform/perform.ts'
import { resourceNamed } from '../../../src/model/schema/resources.ts'
import { deal as dealResource, schema } from '../schema.ts'

// Given a deal, when something is asked of it, then this comes out: the words in which the tests of the domain speak.

export const now = '2026-11-30T12:00:00.000Z'
export const id = '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'
export const newId = '01936f2e-ffff-7a41-8f6b-2f1c9f6d8a10'

/** An open deal of revision 3; amounts in thousandths. */
export function given(changes: Partial<Deal> = {}): Deal {
  return {
    ...{ ...dealResource.blank(id, '2026-11-01T08:00:00.000Z'), currency: 'EUR' },
    name: 'Forty espresso machines',
    price: 51_800_000,
    revision: 3,
    ...changes,
  }
}

type Asked = Partial<Intent> & { readonly facts?: Partial<DecisionFacts> }

export function when(deal: Deal | undefined, action: unknown, params: unknown = {}, asked: Asked = {}): Verdict {
  return decided(deal, { action, params }, asked)
}

export function whenUpdated(deal: Deal, attributes: unknown, asked: Asked = {}): Verdict {
  return decided(deal, { attributes }, { form: 'attribute-update', ...asked })
}

function decided(deal: Deal | undefined, change: Intent['change'], { facts, ...asked }: Asked): Verdict {
  const intent: Intent = {
    resource: 'deal',
    ...(deal && { target: deal.id }),
    change,
    pointers: { target: '/id', action: '', params: '' },
    faults: [],
    guard: { required: false },
    actor: 'mila',
    form: 'verb',
    dryRun: false,
    ...asked,
  }
  return decideIntent(intent, {
    resource: resourceNamed(schema, intent.resource),
    thing: deal,
    command: undefined,
    exists: (_resource, id) => id === 1 || id === 2,
    related: () => undefined,
    idBy: () => undefined,
    heldBy: [],
    queryFaults: () => [],
    people: () => [],
    now,
    newId: () => newId,
    defaults: { currency: 'EUR' },
    ...facts,
  })
}

type AppliedVerdict = Extract<Verdict, { kind: 'apply' }>

/** The deal that comes out, and its events with the names of their operations. */
export function applied(verdict: Verdict) {
  assert.equal(verdict.kind, 'apply', inspect(verdict))
  const { thing, events, command } = verdict as AppliedVerdict
  return {
    deal: thing as Deal,
    events: events.map(({ operation, thing: after, ...event }) => ({
      ...event,
      operation: operation.name,
      deal: after as Deal,
    })),
    command,
  }
}

export function refused<C extends Refusal['code']>(verdict: Verdict, code: C): Extract<Refusal, { code: C }> {
  assert.equal(verdict.kind, 'refuse', inspect(verdict))
  const { refusal } = verdict as Extract<Verdict, { kind: 'refuse' }>
  assert.equal(refusal.code, code, JSON.stringify(refusal))
  return refusal as Extract<Refusal, { code: C }>
}

/** What is wrong with the parameters, as `pointer detail` in order. */
export const faultsOf = (verdict: Verdict): readonly string[] =>
  refused(verdict, 'invalid').faults.map((fault) => `${fault.at.pointer} ${tell(fault)}`)

/** The fields that an operation changed, besides the revision and the time of change, which it always does. */
export function changesOf(before: Deal, verdict: Verdict): Partial<Deal> {
  const { deal, events } = applied(verdict)
  assert.equal(deal.revision, before.revision + events.length)
  if (events.length > 0) assert.equal(deal.updatedAt, now)
  const changed = Object.entries(deal).filter(
    ([name, value]) => value !== before[name as keyof Deal] && name !== 'revision' && name !== 'updatedAt',
  )
  return Object.fromEntries(changed)
}
