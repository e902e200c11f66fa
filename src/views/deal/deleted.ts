import { DAYS_TO_RESTORE } from '../../model/deal/rules.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { statusMarks } from '../parts/marks.ts'
import { addDays, dateMarkup, instantMarkup } from '../parts/moment.ts'
import { money } from '../parts/money.ts'
import { timeline } from '../parts/timeline.ts'
import { offerForm } from './offers.ts'
import type { DealPage } from './view.ts'

/** A deleted deal, which can be restored. */
export function deletedPage({ deal, offers, history, addresses }: DealPage): Markup {
  const restore = offers.find(({ operation }) => operation.to === 'deleted')
  const deletedAt = deal.deletedAt ?? deal.updatedAt
  return html`<header class="head" data-watch="${deal.id}"><div><p class="crumbs"><a href="${addresses.deals}?deleted=true">Deleted deals</a></p>
<h1>${deal.name}</h1>
<p class="marks">${statusMarks(deal)} ${money(deal.price, deal.currency)}</p></div></header>
<section class="panel" aria-labelledby="gone"><h2 id="gone">This deal was deleted</h2>
<p>It was deleted ${instantMarkup(deletedAt)} and can be restored until ${dateMarkup(addDays(deletedAt.slice(0, 10), DAYS_TO_RESTORE))}.</p>
${restore !== undefined && ('form' in restore ? offerForm(restore, 'restore', { alone: true }) : html`<p>It cannot be restored: ${restore.whyNot}.</p>`)}</section>
<section class="panel" aria-labelledby="history"><h2 id="history">History</h2>${timeline(history, deal, addresses)}</section>
`
}
