import { numberText } from '../../../languages/formats.ts'
import { say } from '../../../languages/say.ts'
import { html } from '../../../representations/markup/markup.ts'
import { activityKinds, typeFilter } from '../../events/kinds.ts'
import { personLink } from '../../parts/person.ts'
import { instantWithin, thisMonth } from '../days.ts'
import { also, defineReport, type GroupAnswer, type Question, type ReportFilter } from '../report.ts'
import { reportTable } from '../report-table.ts'
import { countOf, none } from '../tally.ts'
import { shortened } from './deal-rows.ts'

const doneIn = ({ days, person, timeZone }: ReportFilter, groups = ''): Question => ({
  title: say('Activity per person'),
  collection: 'events',
  query: `${instantWithin('time', days, timeZone)}${also('actor', person)}${groups}&measure=count`,
})

/** The activity of each person. */
export const activity = defineReport({
  name: 'activity',
  title: say('Activity per person'),
  about: say('What each person did.'),
  days: thisMonth,
  questions: (asked) => ({ done: doneIn(asked, '&group=actor,type') }),
  figure: {
    of: ['done'],
    questions: (asked) => ({ done: doneIn(asked) }),
    isCompared: true,
    show: ({ done }) => ({ text: say('In all'), value: numberText(countOf(done)), amount: countOf(done) }),
  },
  show({ done }, { addresses, days, timeZone }) {
    if (done.length === 0) return html`<p class="empty">${say('Nothing happened in this period.')}</p>`
    const told = new Set(activityKinds.flatMap(({ types }) => types))
    const link = (groups: GroupAnswer, actor: string | null, types: readonly string[]) => {
      const count = countOf(groups)
      if (count === 0) return none
      const who = actor === null ? 'actor.null=true' : `actor=${encodeURIComponent(actor)}`
      const of = types.length === 0 ? '' : `&${typeFilter(types)}`
      const query = `${who}${of}&${instantWithin('time', days, timeZone)}&sort=-sequence`
      return html`<a href="${addresses.events}?${query}">${numberText(count)}</a>`
    }
    const people = [...Map.groupBy(done, ({ actor }) => (actor === null ? null : String(actor)))]
      .map(([actor, groups]) => ({ actor, groups, all: countOf(groups) }))
      .toSorted((a, b) => b.all - a.all)
    const rows = people.map(({ actor, groups, all }) => ({
      label: actor === null ? say('Not signed in') : personLink(actor, addresses),
      bar: all,
      cells: [
        ...activityKinds.map(({ types }) =>
          link(
            groups.filter(({ type }) => types.includes(String(type))),
            actor,
            types,
          ),
        ),
        numberText(countOf(groups.filter(({ type }) => !told.has(String(type))))),
        link(groups, actor, []),
      ],
    }))
    return html`<div class="panel">${shortened(rows, (shown) =>
      reportTable({
        id: 'people-table',
        caption: say('By person'),
        heads: [say('Person'), ...activityKinds.map(({ title }) => title), say('Other'), say('In all')],
        rows: shown,
      }),
    )}</div>`
  },
})
