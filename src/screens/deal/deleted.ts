import { say } from '../../languages/say.ts'
import { DAYS_TO_RESTORE } from '../../model/deal/rules.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { phrase, told } from '../../representations/html/phrase.ts'
import { statusMarks } from '../parts/marks.ts'
import { dayMarkup, instantMarkup } from '../parts/moment.ts'
import { money } from '../parts/money.ts'
import { timeline } from '../parts/timeline.ts'
import { offerForm } from './offers.ts'
import type { DealPage } from './view.ts'

/** A deleted deal, which can be restored. */
export function deletedPage({ resource, deal, offers, history, addresses }: DealPage): Markup {
  const restore = offers.find(({ operation }) => operation.to === 'deleted')
  const deletedAt = deal.deletedAt ?? deal.updatedAt
  return html`<header class="head" data-watch="${deal.id}"><div><p class="crumbs"><a href="${addresses.deals}?deleted=true">${say('Deleted deals')}</a></p>
<h1>${deal.name}</h1>
<p class="marks">${statusMarks(deal)} ${money(deal.price, deal.currency)}</p></div></header>
<section class="panel" aria-labelledby="gone"><h2 id="gone">${say('This deal was deleted')}</h2>
<p>${phrase('It was deleted {when} and can be restored until {until}.', {
    when: instantMarkup(deletedAt),
    until: dayMarkup(deletedAt, DAYS_TO_RESTORE),
  })}</p>
${
  restore !== undefined &&
  ('form' in restore
    ? offerForm(restore, 'restore')
    : html`<p>${phrase('It cannot be restored: {why}.', { why: told(restore.whyNot) })}</p>`)
}</section>
<section class="panel" aria-labelledby="history"><h2 id="history">${say('History')}</h2>${timeline(history, { ...deal, resource }, addresses)}</section>
`
}
