import { resourceNamed } from '../../model/resources.ts'
import type { Operation } from '../../model/schema.ts'
import { collectionsOf } from '../../queries/collections.ts'
import { label } from '../../representations/html/label.ts'
import type { StoredDeal } from '../../store/port/desk.ts'
import { explained, type FormRefusal, filledIn } from '../page-forms/refused-form.ts'
import { ask } from '../parts/ask.ts'
import { namedEntries } from '../parts/happenings/named-entries.ts'
import { readEntry, type ShownEntry } from '../parts/shown.ts'
import type { View, Visit } from '../parts/visit.ts'
import { deletedPage } from './deleted.ts'
import { entriesOf, readDealPage } from './read.ts'
import { dealPage } from './view.ts'

/** A refused form is shown again, with what was filled in and what is wrong with it. */
export async function showRefusedOperation(
  refusal: FormRefusal,
  operation: Operation,
  fields: ReadonlyMap<string, string>,
  visit: Visit,
): Promise<View | undefined> {
  const stored = await visit.desk.find<StoredDeal>(resourceNamed(visit.desk.schema, 'deal'), visit.params.id ?? '')
  if (stored === undefined) return undefined
  if (stored.deletedAt !== null && operation.to !== 'deleted') return showDeletedDeal(stored, visit)
  const page = await readDealPage(stored, visit)
  const offer = page.offers.find((each) => each.operation === operation)
  const form = offer !== undefined && 'form' in offer ? offer.form : undefined
  const refused = {
    ...explained(refusal, form),
    since: refusal.code === 'stale-revision' ? await entriesSince(fields.get('_revision'), stored, visit) : [],
    offer: offer && form ? { ...offer, form: filledIn(form, fields, refusal) } : offer,
    sent: [...fields].flatMap(([name, value]) => (name.startsWith('_') ? [] : [[label(name), value] as const])),
  }
  return () => dealPage({ ...page, refused })
}

/** What happened since a revision was shown, latest first. */
async function entriesSince(shown = '1', { id }: StoredDeal, { desk }: Visit): Promise<readonly ShownEntry[]> {
  const search = `revision.gt=${shown}&sort=-revision`
  const { history } = collectionsOf(desk.schema)
  const { items } = await ask(desk, history, search, entriesOf(history, id))
  return namedEntries(items.map(readEntry), desk)
}

/** The page of a deleted deal, where it can be restored. */
export async function showDeletedDeal(stored: StoredDeal, visit: Visit): Promise<View | undefined> {
  if (visit.representation !== 'html') return undefined
  const page = await readDealPage(stored, visit)
  return () => deletedPage(page)
}
