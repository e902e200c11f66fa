import type { Call } from '../../http/contract/endpoint.ts'
import { dayIn } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import { operationsOnExisting } from '../../model/schema/resources.ts'
import { forDevelopers } from '../../representations/html/for-developers.ts'
import { label } from '../../representations/html/label.ts'
import { type Hole, html } from '../../representations/markup/markup.ts'
import type { Desk, Stored } from '../../store/port/desk.ts'
import { withPicked } from '../forms/picks.ts'
import { readPicked } from '../forms/read-picked.ts'
import { shownName } from '../parts/names.ts'
import { crumb } from '../parts/page-head.ts'
import type { Screen } from '../parts/screen.ts'
import { readThing } from '../parts/shown.ts'
import type { EveryForm } from '../reference/every-form.ts'
import { isOffered, type OperationOffer } from '../thing/offers.ts'
import { offersOn } from '../thing/read.ts'
import type { ThingScreen } from '../thing/thing-screen.ts'
import { type Action, actionsPage } from './actions.ts'
import { operationPage } from './view.ts'

/** All operations on a thing. */
export function showActions(
  resource: Resource,
  stored: Stored,
  actions: readonly Action[],
  screen: ThingScreen,
  call: Call,
): Screen {
  const head = headOf(resource, stored, screen, call)
  const addressOf = addressIn(stored, call)
  return () => actionsPage({ ...head, actions, addressOf })
}

/** One operation on a thing. */
export async function showOperation(
  operation: Operation,
  stored: Stored,
  everyForm: EveryForm | undefined,
  screen: ThingScreen,
  call: Call,
): Promise<Screen> {
  const now = new Date().toISOString()
  const offerOf = offersOn(stored, screen, now, call)
  const offer = await withNames(offerOf(operation), call.desk)
  const addressOf = addressIn(stored, call)
  const others = operationsOnExisting(operation.on).map((each) => ({
    offer: offerOf(each),
    href: addressOf(each),
  }))
  const { crumbs, ...head } = headOf(operation.on, stored, screen, call)
  const actions = crumb(`${call.service.addresses.thing(operation.on, stored.id)}/actions`, say('What can be done'))
  return () =>
    operationPage({ ...head, crumbs: [crumbs, forDevelopers(html` / ${actions}`)], offer, others, everyForm })
}

const addressIn =
  ({ id }: Stored, { service }: Call) =>
  ({ on, name }: Operation): string =>
    `${service.addresses.thing(on, id)}/actions/${name}`

/** The path to the thing, and its state. */
function headOf(resource: Resource, stored: Stored, { marks }: ThingScreen, { service, reader }: Call) {
  const { addresses } = service
  const { timeZone } = reader
  const thing = readThing(stored.json)
  const today = dayIn(new Date().toISOString(), timeZone)
  const list = crumb(addresses.base + resource.path, say(label(resource.plural)))
  const crumbs: Hole = [list, ' / ', crumb(addresses.thing(resource, stored.id), shownName(resource, thing))]
  const about = { resource, referred: new Map(), today, timeZone, addresses }
  return { crumbs, marks: marks?.(thing, about), watch: stored.id }
}

/** Its reference fields show the names of their things. */
async function withNames(offer: OperationOffer, desk: Desk): Promise<OperationOffer> {
  if (!isOffered(offer)) return offer
  const { operation, form } = offer
  const values = new Map(form.fields.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))
  return { ...offer, form: withPicked(form, await readPicked(values, operation.params, desk)) }
}
