import { say } from '../../languages/say.ts'
import type { Told } from '../../languages/tell.ts'
import type { Operation } from '../../model/schema.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { phrase, told } from '../../representations/html/phrase.ts'
import type { Reason } from '../../values/faults/fault.ts'
import { statusMarks } from '../parts/marks.ts'
import type { ShownDeal } from '../parts/shown.ts'
import type { Addresses } from '../parts/visit.ts'

export interface ActionsPage {
  readonly deal: ShownDeal
  /** Each operation, and why it is not allowed now; nothing when it is. */
  readonly actions: readonly { readonly operation: Operation; readonly whyNot: Reason | Told | undefined }[]
  readonly addresses: Addresses
}

/** Every operation on a deal, whether it is allowed now, and its words in the forms. */
export function actionsPage({ deal, actions, addresses }: ActionsPage): Markup {
  const allowed = actions.filter(({ whyNot }) => whyNot === undefined).length
  return html`<header class="head"><div><p class="crumbs"><a href="${addresses.deals}">${say('Deals')}</a> / <a href="${addresses.deal(deal.id)}">${deal.name}</a></p>
<h1>${say('What can be done')}</h1><p class="marks">${statusMarks(deal)}</p></div></header>
<div class="table" role="group" aria-labelledby="actions-caption" tabindex="0"><table>
<caption id="actions-caption">${say('{allowed} of {count} operations are possible now; choose one to see it in every form', { allowed, count: actions.length })}</caption>
<thead><tr><th scope="col">${say('Operation')}</th><th scope="col">${say('Now')}</th><th scope="col" class="wide">${say('Verb')}</th><th scope="col" class="wide">${say('Participle')}</th><th scope="col" class="wide">${say('Noun')}</th><th scope="col" class="wide">${say('Action')}</th></tr></thead>
<tbody>
${actions.map(({ operation, whyNot }) => row(deal.id, operation, whyNot, addresses))}</tbody>
</table></div>
`
}

function row(
  deal: string,
  { name, title, words }: Operation,
  whyNot: Reason | Told | undefined,
  addresses: Addresses,
): Markup {
  const code = (text: string): Markup => html`<td class="wide"><code>${text}</code></td>`
  return html`<tr><th scope="row"><a href="${addresses.ofDeal(deal, `actions/${name}`)}">${say(title)}</a></th><td>${
    whyNot === undefined
      ? html`<span class="mark done">${say('possible')}</span>`
      : html`<span class="quiet">${phrase('no: {why}', { why: told(whyNot) })}</span>`
  }</td>${code(name)}${code(words.participles.join(', '))}${code(words.noun)}${code(words.action)}</tr>
`
}
