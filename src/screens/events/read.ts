import type { Addresses } from '../../http/contract/addresses.ts'
import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import { dateText, dayIn } from '../../languages/formats.ts'
import type { Reader } from '../../languages/reader.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { collectionsOf } from '../../queries/collections.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { placeNames, settingNamed } from '../../queries/settings.ts'
import type { FormField } from '../../representations/document.ts'
import { pager } from '../../representations/html/table.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { mapInTurns } from '../../store/port/take-turns.ts'
import { withQuery } from '../../values/address.ts'
import { addDays } from '../../values/kinds/time.ts'
import { emptyList, filterBar, withParameter } from '../filters/filter-bar.ts'
import { namedActivities } from '../parts/happenings/named-entries.ts'
import { choices, pageHead } from '../parts/page-head.ts'
import type { Screen } from '../parts/screen.ts'
import { readActivity, type ShownActivity } from '../parts/shown.ts'
import { activityList } from '../parts/timeline.ts'
import { activityKinds, typeFilter } from './kinds.ts'

/** The events by the reader's days, latest or oldest first. */
export async function showEvents({ items, parameters, links }: ShownList, call: Call): Promise<Screen> {
  const { desk, reader } = call
  const { schema } = desk
  const { addresses } = call.service
  const activity = await namedActivities(await mapInTurns(items, (json) => readActivity(json, schema)), desk)
  const now = new Date().toISOString()
  const isOldestFirst = parameters.some(({ name, value }) => settingNamed(name) === 'sort' && value === 'sequence')
  const reverse = withParameter(addresses.events, parameters, 'sort')(isOldestFirst ? '-sequence' : 'sequence')
  const other = isOldestFirst ? say('Latest first') : say('Oldest first')
  const head = pageHead({
    title: say('Activity'),
    about: isOldestFirst ? say('Oldest first.') : say('Latest first. New events appear automatically.'),
    beside: html`<p><a class="button plain" href="${reverse}">${other}</a></p>\n`,
    watch: 'all',
  })
  const filters = filterBar({
    collection: collectionsOf(schema).events,
    address: addresses.events,
    action: addresses.filter('events'),
    parameters,
    shownElsewhere: ['type'],
    fields: filterFields,
  })
  const nothing = emptyList({
    none: say('Nothing has happened yet.'),
    noMatch: say('No activity matches.'),
    all: say('Show all activity'),
    address: addresses.events,
    parameters,
  })
  const shown = activity.length === 0 ? nothing : byDay(activity, now, reader, addresses)
  return () => html`${head}${kindsNav(parameters, addresses)}${filters}
<section class="panel" id="events" data-live aria-label="${say('Activity')}">
${shown}${pager(links)}</section>
`
}

const filterFields: readonly FormField[] = [
  { name: 'actor', label: say('Person'), schema: { type: 'string', maxLength: 200 }, namesUser: true },
]

/** Links to each kind of activity, under the other filters. */
function kindsNav(parameters: readonly Parameter[], addresses: Addresses): Markup {
  const isType = ({ name }: Parameter): boolean => name === 'type' || name === 'type.in'
  const asked = parameters.find(isType)?.value
  const others = parameters.filter((each) => !isType(each) && !placeNames.has(each.name))
  const kinds = activityKinds.map(({ title, types }) => ({
    href: withQuery(addresses.events, [...others, { raw: typeFilter(types) }]),
    text: title,
    isCurrent: asked === types.join(),
  }))
  const all = { href: withQuery(addresses.events, others), text: say('All'), isCurrent: asked === undefined }
  return choices(say('Kinds of activity'), 'tabs', [all, ...kinds])
}

function byDay(
  activity: readonly ShownActivity[],
  now: string,
  { timeZone }: Reader,
  addresses: Addresses,
): readonly Markup[] {
  const today = dayIn(now, timeZone)
  const dayText = (day: string): Text =>
    day === today ? say('Today') : day === addDays(today, -1) ? say('Yesterday') : dateText(day)
  return [...Map.groupBy(activity, ({ at }) => dayIn(at, timeZone))].map(
    ([day, those]) => html`<h2 class="day"><time datetime="${day}">${dayText(day)}</time></h2>
${activityList(those, now, addresses)}`,
  )
}
