import { say } from '../../languages/say.ts'
import type { Text, Words } from '../../languages/text.ts'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { operationNamed, operationsOnExisting } from '../../model/schema/resources.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { dayMarkup } from '../parts/moment.ts'
import { decimal, fromThousandths, money, thousandthsOf } from '../parts/money.ts'
import type { Amount, ShownDeal, ShownEntry } from '../parts/shown.ts'

/** The operations that charge, waive or pay. */
export const ledgerOperations = bySchema((resource: Resource): readonly string[] =>
  operationsOnExisting(resource)
    .filter(({ changes }) => changes.includes('amercement') || changes.includes('paid'))
    .map(({ name }) => name),
)

interface Posting {
  readonly at: string
  readonly what: Text
  readonly due?: bigint
  readonly paid?: bigint
}

/** The due and paid amounts. `entries` are those of `ledgerOperations`, oldest first. */
export function ledger(deal: ShownDeal, entries: readonly ShownEntry[], resource: Resource): Markup {
  // Only the amercement of a cancelled deal is due.
  const price = deal.status === 'cancelled' ? 0n : thousandthsOf(deal.price)
  const due = price + thousandthsOf(deal.amercement)
  const paid = thousandthsOf(deal.paid)
  const agreed = {
    at: deal.createdAt,
    what: deal.status === 'cancelled' ? say('Price, no longer due') : say('Price'),
    due: price,
  }
  const postings = [agreed, ...postingsOf(entries, resource)]
  const rest = money(fromThousandths(paid > due ? paid - due : due - paid), deal.currency)
  // Nobody owes the price of a deal that is not won yet.
  const isOwed = deal.status !== 'open' || postings.length > 1
  const number = (head: Text): Markup => html`<th scope="col" class="number">${head}</th>`
  return html`<table class="ledger">
<thead><tr><th scope="col">${say('Date')}</th><th scope="col">${say('What')}</th>
${number(say('Due'))}${number(say('Paid'))}</tr></thead>
<tbody>
${postings.map((each) => posting(each, deal.currency))}</tbody>
<tfoot><tr><th scope="row" colspan="2">${say('Total')}</th>${amounts({ due, paid }, deal.currency)}</tr>
${
  isOwed &&
  html`<tr><th scope="row" colspan="2">${paid > due ? say('Paid too much') : say('Still to be paid')}</th>
<td class="number" colspan="2">${rest}</td></tr>`
}</tfoot>
</table>
`
}

const posting = ({ at, what, ...sums }: Posting, currency: string): Markup =>
  html`<tr><td>${dayMarkup(at)}</td><th scope="row">${what}</th>${amounts(sums, currency)}</tr>
`

const amounts = ({ due, paid }: Pick<Posting, 'due' | 'paid'>, currency: string): readonly Markup[] =>
  [due, paid].map((each) => html`<td class="number">${amount(each, currency)}</td>`)

const amount = (thousandths: bigint | undefined, currency: string): Words =>
  thousandths === undefined ? '' : decimal(fromThousandths(thousandths), currency)

function postingsOf(entries: readonly ShownEntry[], resource: Resource): readonly Posting[] {
  let owed = 0n
  return entries.flatMap(({ operation, params, at }): Posting[] => {
    const declared = operationNamed(operation, resource)
    if (declared?.changes.includes('paid')) {
      const what =
        typeof params.reference === 'string'
          ? say('Payment, {reference}', { reference: params.reference })
          : say('Payment')
      return [{ at, what, paid: thousandths(params.amount) }]
    }
    if (declared?.params.amercement === undefined) {
      // An operation that does not charge an amercement waives it: the amount, or all of it.
      const waived = params.amount === undefined ? owed : thousandths(params.amount)
      owed -= waived
      return [{ at, what: say('Penalty waived'), due: -waived }]
    }
    const charged = thousandths(params.amercement)
    owed += charged
    return charged === 0n ? [] : [{ at, what: say('Amercement'), due: charged }]
  })
}

const thousandths = (value: unknown): bigint => thousandthsOf((value ?? 0) as Amount)
