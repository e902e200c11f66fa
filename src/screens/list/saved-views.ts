import type { Call } from '../../http/contract/endpoint.ts'
import type { SavedView } from '../../model/nouns/view/view.ts'
import { collectionNamed } from '../../queries/collections.ts'
import type { Desk } from '../../store/port/desk.ts'
import { mayDo } from '../../values/role.ts'
import { ask } from '../parts/ask.ts'
import { untilChanged } from '../parts/until-changed.ts'

/** A saved view for its tab. */
export interface ShownView extends Pick<SavedView, 'id' | 'name' | 'query' | 'shared' | 'revision' | 'owner'> {
  /** Whether the caller may change it. */
  readonly isOwn: boolean
  /** The query as it was saved, if the page shows a part of it. */
  readonly whole?: string
}

export interface SavedViews {
  readonly views: readonly ShownView[]
  /** Whether the caller may save one. */
  readonly maySave: boolean
}

const MOST_TABS = 20

/** The caller's own views of a collection and those that others share. */
export async function readSavedViews(collection: string, call: Call): Promise<SavedViews> {
  const { desk, service } = call
  const me = desk.caller?.name
  const maySave = mayDo(call, 'editor')
  // Admins have the same tabs as others: not the private ones of others.
  const own =
    me === undefined
      ? desk
      : service.store.as({ name: me, user: call.caller?.user ?? null, role: 'reader', own: desk.caller?.own })
  const found = await readVisible(own, `${collection} ${me ?? ''}`, collection, own)
  return {
    views: found.map((each) => ({
      ...each,
      isOwn: maySave && (me === undefined || each.owner === null || each.owner === me),
    })),
    maySave,
  }
}

const readVisible = untilChanged(async (_shared, _key, collection: string, own: Desk) => {
  const search = `collection=${collection}&sort=name&maxpagesize=${MOST_TABS}`
  const { items } = await ask(own, collectionNamed(own.schema, 'views'), search)
  return items.map((json) => JSON.parse(json) as SavedView)
})
