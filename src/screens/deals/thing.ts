import { say } from '../../languages/say.ts'
import { pipelineNamed } from '../../model/deal/place.ts'
import { DAYS_TO_RESTORE } from '../../model/deal/rules.ts'
import { collectionsOf } from '../../queries/collections.ts'
import { equals } from '../../queries/term.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { ask } from '../parts/ask.ts'
import { dueMark, statusMarks } from '../parts/marks.ts'
import { money } from '../parts/money.ts'
import { crumb } from '../parts/page-head.ts'
import { panel } from '../parts/panel.ts'
import { readEntry, type ShownDeal, type ShownEntry } from '../parts/shown.ts'
import { stageMark } from '../stages/stages.ts'
import { type AskedThing, thingScreen } from '../thing/thing-screen.ts'
import { ledger, ledgerOperations } from './ledger.ts'
import { readStale } from './stale.ts'

export const dealScreen = thingScreen<ShownDeal>({
  crumbs: ({ board }) => [crumb(board, say('Board'))],
  marks: (deal, { resource }) => {
    if (deal.deletedAt !== null) return html`${statusMarks(deal)} ${money(deal.price, deal.currency)}`
    return html`${statusMarks(deal)} ${stageMark(deal, resource.schema)} ${money(deal.price, deal.currency)}`
  },
  readMarks: async (deal, { desk }, now) => (await readStale([deal], desk, now))(deal),
  notices: (deal, { today }) => [holdNotice(deal), closingNotice(deal), dueNotice(deal, today)],
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
    return name === 'cancel' ? { reason: suggestions.length > 0 ? { suggestions } : {} } : {}
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

const dueNotice = (deal: ShownDeal, today: string): Markup | false =>
  deal.status === 'open' &&
  deal.completionDate !== null &&
  html`<p class="quiet">${phrase('Expected close: {date}', { date: dueMark(deal, today) })}</p>\n`
