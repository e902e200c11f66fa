import { say } from '../../languages/say.ts'
import { eventTypes } from '../../model/event-types.ts'
import { collections } from '../../queries/collections.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import { emptyList, filterBar } from '../filters/filter-bar.ts'
import type { ShownActivity } from '../parts/shown.ts'
import { isLatestFirst, orderLink } from '../parts/sorting.ts'
import { activityList } from '../parts/timeline.ts'
import type { Addresses, PageLinks } from '../parts/visit.ts'

export interface EventsPage {
  readonly activity: readonly ShownActivity[]
  readonly parameters: readonly Parameter[]
  readonly links: PageLinks
  readonly now: string
  readonly addresses: Addresses
}

/** The events, oldest or latest first. */
export function eventsPage({ activity, parameters, links, now, addresses }: EventsPage): Markup {
  return html`<header class="head" data-watch="all">
<div><h1>Activity</h1><p class="quiet">${
    isLatestFirst(parameters, 'sequence') ? 'Latest first.' : 'Oldest first.'
  } New events appear here as they happen.</p></div>
${orderLink(addresses.events, parameters, 'sequence')}
</header>
${filterBar({
  collection: collections.events,
  address: addresses.events,
  action: addresses.filter('events'),
  parameters,
  fields: [
    { name: 'type', label: 'Type', schema: { type: 'string', enum: eventTypes } },
    { name: 'actor', label: 'Who', schema: { type: 'string', maxLength: 200 } },
    { name: 'deal', label: 'Deal id', schema: { type: 'string', maxLength: 36 } },
  ],
})}
<section class="panel" id="events" data-live aria-label="Events">
${activity.length === 0 ? emptyList({ none: say('Nothing has happened yet.'), noMatch: say('No activity matches.'), all: say('Show all activity'), address: addresses.events, parameters }) : activityList(activity, now, addresses)}${pager(links)}</section>
`
}
