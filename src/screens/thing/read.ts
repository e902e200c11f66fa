import type { Call } from '../../http/contract/endpoint.ts'
import { dayIn } from '../../languages/formats.ts'
import type { Reader } from '../../languages/reader.ts'
import type { Told } from '../../languages/tell.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import { mayRead } from '../../model/intent/caller.ts'
import { operationsOnExisting, referrersOf, whyNotNow } from '../../model/schema/resources.ts'
import { collectionsOf } from '../../queries/collections.ts'
import { mayDoWith } from '../../queries/parse/sight.ts'
import type { Filter } from '../../queries/query.ts'
import { equals } from '../../queries/term.ts'
import type { DocumentForm, PickedThing } from '../../representations/document.ts'
import { label } from '../../representations/html/label.ts'
import type { Markup } from '../../representations/markup/markup.ts'
import type { Stored } from '../../store/port/desk.ts'
import type { Fault } from '../../values/faults/fault.ts'
import { pointerTo } from '../../values/json/pointer.ts'
import { thingForm } from '../forms/operation-form.ts'
import { withPicked } from '../forms/picks.ts'
import { chosenIn, readReferred } from '../forms/read-picked.ts'
import { explained, type FormRefusal, retiredIn, takenAt } from '../forms/refused-form.ts'
import { sentAgain } from '../forms/sent-again.ts'
import type { ListScreen } from '../list/list-screen.ts'
import { ask } from '../parts/ask.ts'
import { namedEntries } from '../parts/happenings/named-entries.ts'
import type { Screen } from '../parts/screen.ts'
import { readEntry, readThing, type SeenThing, type ShownEntry } from '../parts/shown.ts'
import type { ExplainedRefusal } from '../problem/why.ts'
import { showTasks, type TasksAbout } from '../task-panel/read.ts'
import { deletedPage } from './deleted.ts'
import { missingIn } from './missing.ts'
import { isOffered, type Offered, type OperationOffer, READS_ONLY } from './offers.ts'
import { showRelated } from './related.ts'
import { type AskedFields, askedFirst, type ThingScreen } from './thing-screen.ts'
import { type ThingPage, thingPage } from './view.ts'

const ENTRIES = 30

/** The screens of a resource and of related ones. */
export interface ScreensOfThing {
  readonly thing: ThingScreen
  readonly list: (resource: Resource) => ListScreen
}

const showing =
  (write: (page: ThingPage) => Markup) =>
  async (...asked: Parameters<typeof readPage>): Promise<Screen> => {
    const page = await readPage(...asked)
    return () => write(page)
  }

/** The page of a thing. */
export const showThing = showing(thingPage)

/** The page of a deleted thing, if it can be restored. */
export const showDeleted = showing(deletedPage)

/** A refused form is shown again, with its values and faults. */
export async function showRefused(
  refusal: FormRefusal,
  operation: Operation,
  fields: ReadonlyMap<string, string>,
  screens: ScreensOfThing,
  call: Call,
): Promise<Screen | undefined> {
  const resource = operation.on
  const id = resource.kinds.id?.readText(call.params.id ?? '')
  const stored = id && 'value' in id ? await call.desk.find(resource, id.value as Key) : undefined
  if (stored === undefined) return undefined
  const page = await readPage(resource, stored, screens, call)
  if ((page.thing.deletedAt ?? null) !== null && operation.to !== 'deleted') return () => deletedPage(page)
  const offer = page.offers.find((each) => each.operation === operation)
  const form = offer && isOffered(offer) ? offer.form : undefined
  const isStale = refusal.code === 'stale-revision'
  const since = isStale ? await entriesSince(fields.get('_revision'), resource, stored, call) : []
  const about = {
    ...explained({ ...refusal, ...retiredIn(refusal, resource) }, form),
    ...changedBy(since, call.reader),
    since,
    sent: [...fields].flatMap(([name, value]) => (name.startsWith('_') ? [] : [[label(name), value] as const])),
  }
  const missing = missingIn(refusal, page)
  const errors = refusal.errors ?? [...takenAt(refusal, resource), ...leftOut(refusal, resource)]
  const atFields = { ...refusal, errors }
  const again = form && (await sentAgain(form, fields, atFields, { resource, stored }, call))
  // A change, a note and a removal have their place in the page; others come with the reason, as the one form of theirs.
  const hasPlace = operation.differences || operation.lasting || operation.removes
  return () => {
    const shown = again ? { operation, form: again() } : offer
    const offers = page.offers.flatMap((each) => (each !== offer || !again ? each : hasPlace && shown ? shown : []))
    const isChange = again !== undefined && operation.differences === true
    const inNotice = again && hasPlace ? { offer: undefined } : { offer: shown, ...(missing && { missing }) }
    return thingPage({ ...page, offers, refused: { ...about, ...inNotice, isChange } })
  }
}

/** A part that things are in goes when its form says where they move: the fault of that field. */
function leftOut({ code, extra = {} }: FormRefusal, { parts }: Resource): readonly Fault[] {
  const [member] = parts?.begunBy ?? []
  if (code !== 'in-use' || member === undefined || !Number(extra.count) || extra.needed) return []
  const part = typeof extra.part === 'string' ? pointerTo(extra.part) : ''
  return [{ code: 'required', at: { pointer: `/${member}${part}` } }]
}

/** The people who changed the thing meanwhile, as far as they are known. */
function changedBy(since: readonly ShownEntry[], { fullName }: Reader): Partial<ExplainedRefusal> {
  const actors = new Set(since.flatMap(({ actor }) => (actor === null ? [] : [fullName?.(actor) ?? actor])))
  if (actors.size === 0) return {}
  const text: Told = '{people} changed this while you were editing. Your change is not saved yet.'
  return { detail: { text, with: { people: [...actors] } } }
}

async function readPage(resource: Resource, stored: Stored, screens: ScreensOfThing, call: Call): Promise<ThingPage> {
  const { addresses } = call.service
  const { desk, reader } = call
  const { history } = collectionsOf(desk.schema)
  const thing = readThing(stored.json)
  const now = new Date().toISOString()
  const [{ items, hasMore }, picked, marks] = await Promise.all([
    ask(desk, history, `sort=-revision&maxpagesize=${ENTRIES}`, ofThing(resource, stored)),
    readReferred(resource, thing, desk),
    screens.thing.readMarks?.(thing, call, now),
  ])
  const entries = items.map(readEntry)
  const referrers = referrersOf(resource).filter(({ from }) => mayRead(call, from))
  const task = referrers.find(({ from }) => from.name === 'task')
  const others = referrers.filter((each) => each !== task)
  const [tasks, panels, related] = await Promise.all([
    task && showTasks({ [task.field]: stored.id } as TasksAbout, now, call),
    screens.thing.panels?.(thing, { resource, call, now, history: { items: entries, hasMore } }),
    Promise.all(others.map((each) => showRelated(each, stored, screens.list(each.from), now, call))),
  ])
  const referred = chosenIn(picked)
  const offers = operationsOnExisting(resource)
    .map(offersOn(stored, screens.thing, now, call))
    .map((offer) =>
      isOffered(offer) ? { ...offer, form: withPicked(edited(offer, screens.thing, thing, resource), picked) } : offer,
    )
  return {
    ...{ resource, thing, referred, offers, tasks, panels, related, marks, addresses, now },
    screen: screens.thing,
    history: await namedEntries(entries, desk, knownIn(referred)),
    hasMoreHistory: hasMore,
    actions: hasActions(resource) ? `${addresses.thing(resource, stored.id)}/actions` : undefined,
    today: dayIn(now, reader.timeZone),
    timeZone: reader.timeZone,
  }
}

/** The form of a change with the order and the texts of the page. */
const edited = (
  { operation, form }: Offered,
  { editing }: ThingScreen,
  thing: SeenThing,
  resource: Resource,
): DocumentForm =>
  operation.differences && editing ? { ...form, fields: editing(form.fields, { resource, thing }) } : form

const ofThing = ({ name, schema }: Resource, { id }: Stored): Filter => [
  equals(collectionsOf(schema).history, name, id),
]

/** The names that are already read. */
const knownIn = (referred: ReadonlyMap<string, PickedThing>): ReadonlyMap<number, string> => {
  const customer = referred.get('customerId')
  return new Map(customer && [[Number(customer.value), customer.text]])
}

/** Whether the operations of a resource have named addresses. */
const hasActions = ({ forms }: Resource): boolean => forms === 'every' || forms.includes('verb')

/** The events since a revision was shown, latest first. */
async function entriesSince(
  shown = '1',
  resource: Resource,
  stored: Stored,
  call: Call,
): Promise<readonly ShownEntry[]> {
  const { history } = collectionsOf(call.desk.schema)
  const search = `revision.gt=${shown}&sort=-revision`
  const { items } = await ask(call.desk, history, search, ofThing(resource, stored))
  return namedEntries(items.map(readEntry), call.desk)
}

/** Fields that stay the same objects are written once. */
const withAsked = (form: DocumentForm, asked: AskedFields): DocumentForm => ({
  ...form,
  fields: askedFirst(form.fields, asked).map((field) => {
    const differences = asked[field.name]
    return differences === undefined ? field : { ...field, ...differences }
  }),
})

/** Gives the form of each operation on a thing, or the reason why there is none now. */
export function offersOn(
  stored: Stored,
  { otherwise, asked }: ThingScreen,
  now: string,
  call: Call,
): (operation: Operation) => OperationOffer {
  // Rules compare amounts with zero, so they may be inexact.
  const shown = readThing(stored.json)
  return (operation) => {
    const isAllowed = mayDoWith(call.desk.caller, operation, stored.json)
    const whyNot = isAllowed ? whyNotNow(operation, shown, now) : READS_ONLY
    if (whyNot === undefined) {
      const form = thingForm(operation, stored, shown, call.service.addresses)
      return { operation, form: asked === undefined ? form : withAsked(form, asked(operation, shown)) }
    }
    const isKept =
      isAllowed && otherwise !== undefined && whyNotNow(operation, { ...shown, ...otherwise }, now) === undefined
    return { operation, whyNot, isKept }
  }
}
