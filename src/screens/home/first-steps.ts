import type { Addresses } from '../../http/contract/addresses.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { deal } from '../../model/nouns/deal/deal.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'
import type { Reporting } from '../reporting/reporting.ts'
import { reportingChoice } from '../reporting/view.ts'

/** The next steps of a service without a deal. */
export interface FirstSteps {
  readonly mayInvite: boolean
  readonly reporting: Reporting
  readonly addresses: Addresses
}

/** Leads to the import, the team, the currency and the first deal, instead of figures that are all zero. */
export function firstSteps({ mayInvite, reporting, addresses }: FirstSteps): Markup {
  const link = (href: string, text: Text): Markup => html`<p><a class="button" href="${href}">${text}</a></p>`
  const step = (title: Text, about: Text, next: Hole): Markup =>
    html`<li><h3>${title}</h3><p>${about}</p>${next}</li>\n`
  const steps = [
    step(
      say('Bring your data'),
      say('Customers and deals from a file of the tool you used before.'),
      link(addresses.imports, say('Import')),
    ),
    mayInvite &&
      step(
        say('Invite your team'),
        say('Everybody gets a link to choose a password.'),
        link(addresses.users, say('Invite people')),
      ),
    step(
      say('Choose your currency'),
      say('Totals on pages are in this currency.'),
      reportingChoice({ reporting, apart: [], back: '/', addresses }),
    ),
    step(say('Make a deal'), say('A name and a price are enough.'), link(addresses.creation(deal), say('New deal'))),
  ]
  return html`<section class="panel" aria-labelledby="steps"><h2 id="steps">${say('Get started')}</h2>
<ol class="steps">${steps}</ol></section>
`
}
