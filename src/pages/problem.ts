import { html, type Markup } from '../representations/html/markup.ts'
import type { Places } from './places.ts'

export interface ProblemPage {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly meaning: string
  readonly remedy: string
  readonly errors: readonly {
    readonly pointer?: string
    readonly parameter?: string
    readonly header?: string
    readonly detail: string
  }[]
  /** The page about this kind of problem. */
  readonly about: string
  readonly places: Pick<Places, 'home' | 'board' | 'deals' | 'customers'>
}

/** What went wrong, what it means, and where to go on. */
export function problemPage({ status, title, detail, meaning, remedy, errors, about, places }: ProblemPage): Markup {
  return html`<header class="head"><div><p class="crumbs">${status}</p><h1>${title}</h1></div></header>
<section class="panel" aria-label="The problem">
<p class="detail">${detail}</p>
${
  errors.length > 1 &&
  html`<ul class="errors">${errors.map(({ pointer, parameter, header, detail }) => {
    const place = pointer ?? parameter ?? header ?? ''
    return html`<li>${place !== '' && html`<code>${place}</code> `}${detail}</li>`
  })}</ul>
`
}<p>${coded(meaning)}</p>
<p><b>What to do:</b> ${coded(remedy)}</p>
<p class="quiet"><a href="${about}">About this kind of problem</a></p>
</section>
<nav aria-label="Go on"><ul class="ways"><li><a href="${places.home}">Today</a></li><li><a href="${places.board}">The board</a></li><li><a href="${places.deals}">All deals</a></li><li><a href="${places.customers}">Customers</a></li></ul></nav>
`
}

/** Texts about problems put code between backticks. */
const coded = (text: string): readonly (Markup | string)[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))
