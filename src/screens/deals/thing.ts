import { say } from '../../languages/say.ts'
import { pipelineNamed } from '../../model/nouns/deal/place.ts'
import { DAYS_TO_RESTORE } from '../../model/nouns/deal/rules.ts'
import { type Task, task } from '../../model/nouns/task/task.ts'
import { collectionsOf } from '../../queries/collections.ts'
import { equals } from '../../queries/term.ts'
import { label } from '../../representations/html/label.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { ask } from '../parts/ask.ts'
import { dueMark, statusMarks } from '../parts/marks.ts'
import { money } from '../parts/money.ts'
import { crumb } from '../parts/page-head.ts'
import { panel } from '../parts/panel.ts'
import { avatarMarkup, personLink } from '../parts/person.ts'
import { readEntry, type ShownDeal, type ShownEntry } from '../parts/shown.ts'
import { stageMark } from '../stages/stages.ts'
import { taskDueCell } from '../task-panel/due.ts'
import { type AskedThing, type ThingContext, thingScreen } from '../thing/thing-screen.ts'
import { ledger, ledgerOperations } from './ledger.ts'
import { readStale } from './stale.ts'
import { stageRow } from './way.ts'

export const dealScreen = thingScreen<ShownDeal>({
  crumbs: ({ board }) => [crumb(board, say('Board'))],
  marks: (deal) =>
    deal.deletedAt === null ? statusMarks(deal) : html`${statusMarks(deal)} ${money(deal.price, deal.currency)}`,
  readMarks: async (deal, { desk }, now) => (await readStale([deal], desk, now))(deal),
  notices: (deal) => [holdNotice(deal), closingNotice(deal)],
  turns: ['complete', 'cancel', 'unhold', 'reopen'],
  glance,
  way: stageRow,
  fields: [
    ...['name', 'customerId', 'owner', 'stage', 'price', 'completionDate'],
    ...['completedOn', 'acceptedBy', 'description'],
  ],
  // A stage is shown with its pipeline.
  elsewhere: ['pipeline'],
  facts: {
    stage: (deal, { resource }) => stageMark(deal, resource.schema),
    completionDate: (deal, { today }) => dueMark(deal, today),
    completedOn: ({ completedOn }) => completedOn !== null && undefined,
    acceptedBy: ({ acceptedBy }) => acceptedBy !== null && undefined,
    description: ({ description }) =>
      description === '' ? undefined : html`<span class="prose">${description}</span>`,
  },
  panels: async (deal, asked) => {
    const postings = await readPostings(deal, asked)
    return () => panel('ledger', say('Money'), ledger(deal, postings, asked.resource), { live: 'always' })
  },
  creating: (fields) =>
    fields.map((field) => (field.name === 'stage' ? { ...field, nothing: say('the first stage') } : field)),
  asked: ({ name, on }, { pipeline }) => {
    if (name === 'move')
      return { stage: { nothing: say('the same, or else the first') }, pipeline: { nothing: say('unchanged') } }
    const suggestions = pipelineNamed(on.schema.pipelines, pipeline)?.lostReasons ?? []
    if (name === 'complete') return { note: {}, completedOn: { isFurther: true }, acceptedBy: { isFurther: true } }
    const reason = suggestions.length > 0 ? { suggestions } : {}
    return name === 'cancel' ? { reason, amercement: { isFurther: true } } : {}
  },
  otherwise: { held: false, archived: false },
  daysToRestore: DAYS_TO_RESTORE,
})

/** The entries of the ledger, oldest first, which may be older than the shown ones. */
async function readPostings(deal: ShownDeal, { resource, call, history }: AskedThing): Promise<readonly ShownEntry[]> {
  const operations = ledgerOperations(resource)
  const isPosting = ({ operation }: ShownEntry): boolean => operations.includes(operation)
  if (!history.hasMore) return history.items.filter(isPosting).toReversed()
  const entries = collectionsOf(resource.schema).history
  const search = `operation.in=${operations.join(',')}&maxpagesize=1000`
  return (await ask(call.desk, entries, search, [equals(entries, 'deal', deal.id)])).items.map(readEntry)
}

const holdNotice = ({ held, holdReason }: ShownDeal): Markup | false =>
  held && html`<p class="notice held"><b>${say('On hold:')}</b> ${holdReason ?? ''}</p>\n`

function closingNotice({ status, closingReason }: ShownDeal): Markup | undefined {
  if (closingReason === null) return undefined
  const said = { about: html`<b>${say(label(status))}</b>`, what: html`<span>${closingReason}</span>` }
  return html`<p class="notice">${phrase('{about}: {what}', said)}</p>\n`
}

/** The price of a deal, its people, its expected close and the next task. */
function glance(deal: ShownDeal, about: ThingContext, next: Task | undefined): Markup {
  const { owner, completionDate } = deal
  const { addresses, today } = about
  const customer = about.referred.get('customerId')
  const whom = customer && html`<a href="${addresses.customer(Number(customer.value))}">${customer.text}</a>`
  const due =
    completionDate !== null && html`<span>${phrase('Expected close: {date}', { date: dueMark(deal, today) })}</span>`
  const who =
    owner !== null && html`<span class="person">${avatarMarkup(owner)}${personLink(owner, addresses, true)}</span>`
  const step =
    next &&
    html`<span>${phrase('Next: {task}', {
      task: html`<a href="${addresses.thing(task, next.id)}">${next.title}</a> ${taskDueCell(next, about)}`,
    })}</span>`
  return html`${money(deal.price, deal.currency)} ${whom} ${who} ${due} ${step}`
}
