import type { SavedView } from '../../model/view/view.ts'
import { collectionNamed } from '../../queries/collections.ts'
import { visibleTo } from '../../queries/members/visible.ts'
import { mayDo } from '../../values/role.ts'
import { ask } from '../parts/ask.ts'
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

/** The caller's own views of a collection and those that others share. */
export async function readSavedViews(collection: string, visit: Visit): Promise<SavedViews> {
  const me = visit.caller === null ? undefined : (visit.caller.user ?? visit.actor)
  const maySave = mayDo(visit, 'editor')
  const visible = visibleTo(me === undefined ? undefined : { name: String(me), isAdmin: false }, views)
  const { items } = await ask(
    visit.service.store,
    views,
    `collection=${collection}&sort=name&maxpagesize=${MOST_TABS}`,
    visible,
  )
  const found = items.map((json) => JSON.parse(json) as SavedView)
  return {
    views: found.map((each) => ({
      ...each,
      isOwn: maySave && (me === undefined || each.owner === null || each.owner === me),
    })),
    maySave,
  }
}
