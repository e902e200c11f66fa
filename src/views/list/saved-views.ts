import type { SavedView } from '../../model/view/view.ts'
import { collectionNamed } from '../../queries/collections.ts'
import { parseQuery } from '../../queries/parse/parse-query.ts'
import { visibleTo } from '../../queries/visibility.ts'
import { memoize } from '../../values/memoize.ts'
import { mayDo } from '../../values/role.ts'
import { untilChanged } from '../parts/until-changed.ts'
import type { Visit } from '../parts/visit.ts'

/** A saved view as its tab knows it. */
export interface ShownView extends Pick<SavedView, 'id' | 'name' | 'query' | 'shared' | 'revision' | 'owner'> {
  /** Whether the caller may change it. */
  readonly isOwn: boolean
}

export interface SavedViews {
  readonly views: readonly ShownView[]
  /** Whether the caller may save one. */
  readonly maySave: boolean
}

const views = collectionNamed('views')
const MOST_TABS = 20

const viewsOf = memoize((collection) => {
  const parsed = parseQuery(views, `collection=${collection}&sort=name&maxpagesize=${MOST_TABS}`)
  if ('faults' in parsed) throw new Error(`views of ${collection} cannot be asked for`)
  return parsed.query
})

/** The caller's own views of a collection and those that others share. */
export async function readSavedViews(collection: string, visit: Visit): Promise<SavedViews> {
  const me = visit.actor ?? undefined
  const maySave = mayDo(visit, 'editor')
  const found = await readVisible(visit.service.store, `${collection} ${me ?? ''}`, collection, me)
  return {
    views: found.map((each) => ({
      ...each,
      isOwn: maySave && (me === undefined || each.owner === null || each.owner === me),
    })),
    maySave,
  }
}

const readVisible = untilChanged(async (store, _key, collection: string, me: string | undefined) => {
  const visible = visibleTo(me === undefined ? undefined : { name: me, isAdmin: false }, views)
  const { items } = await store.page(views.name, visible, viewsOf(collection))
  return items.map((json) => JSON.parse(json) as SavedView)
})
