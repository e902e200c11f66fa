import type { Call } from '../../http/contract/endpoint.ts'
import { say } from '../../languages/say.ts'
import type { Referrer } from '../../model/schema/resources.ts'
import { collectionOf } from '../../queries/collections.ts'
import { equals } from '../../queries/term.ts'
import { label } from '../../representations/html/label.ts'
import { html } from '../../representations/markup/markup.ts'
import type { Stored } from '../../store/port/desk.ts'
import { newLink } from '../forms/framed-form.ts'
import { creationAddress } from '../forms/operation-form.ts'
import { type ListScreen, listTexts } from '../list/list-screen.ts'
import { thingTable } from '../list/thing-table.ts'
import { ask } from '../parts/ask.ts'
import { readNames } from '../parts/names.ts'
import { panel } from '../parts/panel.ts'
import type { Screen } from '../parts/screen.ts'
import { readThing } from '../parts/shown.ts'

const SHOWN = 20

/** The panel of the things that refer to a thing, such as the deals of a customer. */
export async function showRelated(
  { from, field }: Referrer,
  { id }: Stored,
  screen: ListScreen,
  now: string,
  call: Call,
): Promise<Screen> {
  const { addresses } = call.service
  const collection = collectionOf(from)
  const { items, hasMore } = await ask(call.desk, collection, `maxpagesize=${SHOWN}`, [equals(collection, field, id)])
  const things = items.map(readThing)
  const names = await readNames(from, things, call.desk)
  const creation = creationAddress(from, call, { [field]: id, return: call.path })
  const texts = listTexts(from)
  return () => {
    const caption = say(texts.shown, { count: things.length })
    const table = thingTable({ resource: from, screen, caption, things, names, without: [field], now, addresses })
    const all = html`<p><a href="${addresses.base}${from.path}?${field}=${id}">${say(texts.all)}</a></p>\n`
    const shown = things.length === 0 ? html`<p class="empty">${say(texts.none)}</p>\n` : table
    const add = creation !== undefined && newLink(creation, say(texts.new))
    return panel(from.plural, say(label(from.plural)), [shown, hasMore && all, add])
  }
}
