import type { Operation } from '../../model/operation.ts'
import { fieldOf } from '../../queries/collection.ts'
import { collections } from '../../queries/collections.ts'
import { label } from '../../representations/html/label.ts'
import type { StoredDeal } from '../../store/port/store.ts'
import { dealPage } from '../../views/deal.ts'
import { deletedPage } from '../../views/deleted.ts'
import { refusedCreation } from '../../views/refused-creation.ts'
import { readEntry } from '../../views/shown.ts'
import type { Call } from '../endpoint.ts'
import { creationForm } from '../resources/page-forms.ts'
import type { Problem } from '../respond/problem.ts'
import { ask } from './ask.ts'
import { readDealPage } from './deal.ts'
import { filledIn, toldOf } from './filled-in.ts'

const { history } = collections

/** A form that was refused is shown again, with what was filled in and what is wrong with it. */
export async function withRefusedForm(
  problem: Problem,
  operation: Operation | undefined,
  call: Call,
): Promise<Problem> {
  const { fields } = call
  if (fields === undefined || operation === undefined || call.representation !== 'html') return problem
  if (operation.on === 'nothing') {
    const form = filledIn(creationForm(call), fields, problem)
    const above = { href: call.service.addresses.deals, text: 'Deals' }
    return { ...problem, page: () => refusedCreation({ form, ...toldOf(problem, form), above }) }
  }
  const stored = await call.service.store.deal(call.params.id ?? '')
  if (stored === undefined) return problem
  if (stored.deletedAt !== null && operation.on !== 'deleted') return withDeletedDeal(problem, stored, call)
  const page = await readDealPage(stored, call)
  const offer = page.offers.find(({ name }) => name === operation.name)
  const form = offer !== undefined && 'form' in offer ? offer.form : undefined
  const refused = {
    ...toldOf(problem, form),
    since: problem.code === 'stale-revision' ? await entriesSince(fields.get('_revision'), stored, call) : [],
    offer: offer && form ? { ...offer, form: filledIn(form, fields, problem) } : offer,
    sent: [...fields].flatMap(([name, value]) => (name.startsWith('_') ? [] : [[label(name), value] as const])),
  }
  return { ...problem, page: () => dealPage({ ...page, refused }) }
}

/** What happened since a revision was shown, latest first. */
async function entriesSince(shown: string | undefined, { id }: StoredDeal, { service }: Call) {
  const scope = [{ field: fieldOf(history, 'deal'), operator: 'eq', values: [id] }] as const
  const { items } = await ask(service.store, history, `revision.gt=${shown ?? 1}&sort=-revision`, scope)
  return items.map(readEntry)
}

/** A deleted deal can be looked at and restored from the page that says it is gone. */
export async function withDeletedDeal(problem: Problem, stored: StoredDeal, call: Call): Promise<Problem> {
  if (call.representation !== 'html') return problem
  const page = await readDealPage(stored, call)
  return { ...problem, page: () => deletedPage(page) }
}
