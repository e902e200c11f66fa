import { DAYS_TO_RESTORE } from '../model/deal/conditions.ts'
import { html, type Markup } from '../representations/html/markup.ts'
import type { DealPage } from './deal.ts'
import { statusMarks } from './marks.ts'
import { addDays, dateMarkup, instantMarkup } from './moment.ts'
import { money } from './money.ts'
import { offerForm } from './offers.ts'
import { timeline } from './timeline.ts'

/** A deal that is gone, with the way back. */
export function deletedPage({ deal, offers, history, places }: DealPage): Markup {
  const restore = offers.find(({ name }) => name === 'restore')
  const deletedAt = deal.deletedAt ?? deal.updatedAt
  return html`<header class="head" data-watch="${deal.id}"><div><p class="crumbs"><a href="${places.deals}?deleted=true">Deleted deals</a></p>
<h1>${deal.name}</h1>
<p class="marks">${statusMarks(deal)} ${money(deal.price, deal.currency)}</p></div></header>
<section class="panel" aria-labelledby="gone"><h2 id="gone">This deal was deleted</h2>
<p>It was deleted ${instantMarkup(deletedAt)} and can be restored until ${dateMarkup(addDays(deletedAt.slice(0, 10), DAYS_TO_RESTORE))}.</p>
${restore !== undefined && ('form' in restore ? offerForm(restore, 'restore', { alone: true }) : html`<p>It cannot be restored: ${restore.whyNot}.</p>`)}</section>
<section class="panel" aria-labelledby="history"><h2 id="history">History</h2>${timeline(history, deal, places)}</section>
`
}
