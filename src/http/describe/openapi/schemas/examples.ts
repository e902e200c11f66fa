import type { DomainEvent } from '../../../../model/declaration/event.ts'
import type { Thing } from '../../../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../../../model/declaration/schema.ts'
import type { Command } from '../../../../model/intent/intent.ts'
import type { Deal } from '../../../../model/nouns/deal/deal.ts'
import { creationOf, operationNamed, type ResourceOf, resourceNamed } from '../../../../model/schema/resources.ts'
import type { Document } from '../../../../representations/document.ts'
import { eventRow } from '../../../../store/rows/event.ts'
import { storedThing } from '../../../../store/rows/things.ts'
import type { Json } from '../../../../values/json/json.ts'
import { capitalized } from '../../../../values/kinds/text.ts'
import { addressesAt } from '../../../contract/addresses.ts'
import { refusalProblem } from '../../../contract/problems/refusals.ts'
import { problemMembers } from '../../../contract/problems/told-problem.ts'
import { commandDocument, entryDocument, thingDocument } from '../../../respond/documents.ts'

export type Examples = { readonly [name: string]: Json }

export const exampleDealId = '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'
const now = '2026-11-15T04:05:05.173Z'
const addresses = addressesAt('')

/** Examples, created by the service's own functions so that they cannot differ from its answers. */
export function exampleDocuments(schema: Schema): Examples {
  const deals = resourceNamed(schema, 'deal')
  const { thing, entry } = held(deals, created(deals))
  return {
    ...Object.fromEntries(schema.resources.map((resource) => [capitalized(resource.name), read(exampleOf(resource))])),
    Deal: read(documentOf(deals, thing)),
    Entry: read(entryDocument(deals, entry, exampleDealId, 'holds', addresses)),
    Command: read(commandDocument(command, addresses, schema)),
    Problem: { ...wrongState(thing as Deal, schema), instance: 'urn:dealdesk:request:b809458f30-4' },
  }
}

const exampleOf = (resource: Resource): Document => documentOf(resource, exampleThing(resource))

function exampleThing(resource: Resource): Thing {
  const { id } = resource.example as Partial<Thing>
  const blank = resource.blank(id ?? resourceNamed(resource.schema, 'customer').example.id ?? 1, now)
  return { ...blank, ...resource.example, revision: 1 } as unknown as Thing
}

const documentOf = (resource: Resource, thing: Thing): Document =>
  thingDocument(resource, storedThing(resource, thing, resource.toJson(thing)), addresses)

const read = ({ json }: Document): Json => JSON.parse(json) as Json

const circumstances = { now, exists: () => true, queryFaults: () => [] }

/** A deal as its creation makes it. A model may ask for what no example can have: no value of a field may be left. */
function created(deals: ResourceOf<'deal'>): Thing {
  const { decide, examples } = creationOf(deals)
  const decision = decide(deals.blank(exampleDealId, now), examples[0], circumstances)
  return 'thing' in decision ? decision.thing : exampleThing(deals)
}

function held(deals: ResourceOf<'deal'>, before: Thing) {
  const operation = operationNamed('hold', deals)
  const decision = operation?.decide(before, operation.examples[0], circumstances)
  if (operation === undefined || decision === undefined || !('thing' in decision)) throw new Error('hold is refused')
  const { thing, params } = decision
  const event: DomainEvent = { operation, params, thing, at: now, actor: 'mila', form: 'noun', commandId: null }
  return { thing, entry: eventRow(event, deals.toJson(thing as Deal)).stored }
}

const command: Command = {
  id: 'pay-0001',
  resource: 'deal',
  subject: exampleDealId,
  action: 'RecordDealPayment',
  params: { amount: 0.1 },
  status: 'applied',
  refusal: null,
  revision: 3,
  decidedAt: now,
  named: null,
  privateTo: null,
  sentAs: null,
}

function wrongState(
  { id, status, held, archived, deletedAt, revision }: Deal,
  schema: Schema,
): { readonly [name: string]: Json } {
  const thing = { id, status, held, archived, deletedAt, revision }
  const refusal = {
    code: 'wrong-state',
    resource: 'deal',
    operation: 'complete',
    reason: { code: 'deal-held' },
    thing,
    allowed: ['unhold', 'cancel'],
  } as const
  return problemMembers(refusalProblem(refusal, schema), addresses)
}
