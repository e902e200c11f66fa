import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { collectionOf } from '../../queries/collections.ts'
import { mapInTurns } from '../../store/port/take-turns.ts'
import { withQuery } from '../../values/address.ts'
import { readUnfilled } from '../filters/filled-fields.ts'
import { creationAddress } from '../forms/operation-form.ts'
import { nameOf, readFilterNames, readNames } from '../parts/names.ts'
import { isUser, type Screen } from '../parts/screen.ts'
import { readThing, type SeenThing } from '../parts/shown.ts'
import { readAddedCells } from './added-columns.ts'
import type { ListScreen } from './list-screen.ts'
import { readSavedViews } from './saved-views.ts'
import { readTotals } from './totals.ts'
import { listPage } from './view.ts'

/** The list of a resource, or of its things that refer to another. */
export async function showList(resource: Resource, screen: ListScreen, list: ShownList, call: Call): Promise<Screen> {
  const { addresses } = call.service
  const { desk, path, role } = call
  const things = await mapInTurns(list.items, readThing)
  const of = await subjectOf(resource, call)
  const isWhole = of === undefined
  const now = new Date().toISOString()
  const asked = { list, call, now, back: withQuery(path, list.parameters) }
  const [names, filterNames, totals, saved, above, marks, added, unfilled] = await Promise.all([
    readNames(resource, things, desk),
    readFilterNames(resource, list.parameters, desk),
    isWhole ? readTotals(collectionOf(resource), list, things, call, screen.sums) : undefined,
    readSavedViews(resource.plural, call),
    isWhole ? screen.above?.(asked) : undefined,
    screen.marks?.(asked),
    list.fields === undefined ? readAddedCells(screen, things, call) : undefined,
    readUnfilled(resource, screen.ifFilled ?? [], desk),
  ])
  const page = {
    ...list,
    ...{ resource, screen, things, names, totals, saved, above, marks, added, unfilled, of, now, addresses, role },
    own: desk.caller?.own,
    filterNames,
    // Columns that were asked for make a table.
    rows: list.fields === undefined ? screen.rows?.(things, names, asked) : undefined,
    about: screen.about?.(call),
    creation: isWhole && !screen.isMadeElsewhere ? creationAddress(resource, call, screen.given?.(asked)) : undefined,
    address: isWhole ? addresses.base + resource.path : addresses.base + path,
    isUser: isUser(call),
  }
  return () => listPage(page)
}

/** The common subject of a list, such as the deal of `…/deals/{id}/tasks`. */
async function subjectOf({ plural, path, schema }: Resource, { desk, service, ...call }: Call) {
  const to = schema.resources.find((each) => call.path.startsWith(`${each.path}/`) && call.path.endsWith(`/${plural}`))
  const key = to?.kinds.id?.readText(call.params.id ?? '')
  if (call.path === path || to === undefined || key === undefined || !('value' in key)) return undefined
  const stored = await desk.find(to, key.value as Key)
  if (stored === undefined) return undefined
  return { href: service.addresses.thing(to, stored.id), name: nameOf(to, readThing(stored.json) as SeenThing) }
}
