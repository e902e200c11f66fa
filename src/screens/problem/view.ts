import type { Addresses } from '../../http/contract/addresses.ts'
import { say } from '../../languages/say.ts'
import type { Told } from '../../languages/tell.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { told } from '../../representations/html/phrase.ts'
import type { Fault } from '../../values/faults/fault.ts'

interface ProblemPage {
  readonly status: number
  readonly title: string
  /** Shown if there are no faults. */
  readonly detail: Told
  readonly meaning: string
  readonly remedy: string
  readonly errors: readonly Fault[]
  /** The page about this kind of problem. */
  readonly about: string
  /** The id of the request in the log. */
  readonly request: string
  readonly addresses: NextAddresses
}

type NextAddresses = Pick<Addresses, 'home' | 'board' | 'deals' | 'customers'>

/** The problem, its meaning and its remedy. */
export function problemPage({
  status,
  title,
  detail,
  meaning,
  remedy,
  errors,
  about,
  request,
  addresses,
}: ProblemPage): Markup {
  return html`<header class="head"><div><p class="crumbs">${status}</p><h1>${told(title)}</h1></div></header>
<section class="panel" aria-label="${say('The problem')}">
${
  errors.length === 0
    ? html`<p class="detail">${told(detail)}</p>\n`
    : html`<ul class="errors">${errors.map((fault) => {
        const { pointer, parameter, header } = fault.at
        const place = parameter ?? pointer ?? header ?? ''
        return html`<li>${place !== '' && html`<code>${place}</code> `}${told(fault)}</li>`
      })}</ul>
`
}<p>${told(meaning, withCode)}</p>
<p><b>${say('What to do:')}</b> ${told(remedy, withCode)}</p>
${status === 401 && html`<p><a class="button" href="${addresses.home}">${say('Sign in')}</a></p>\n`}<p class="quiet"><a href="${about}">${say('About this kind of problem')}</a> · ${say('Request')} <code>${request}</code></p>
</section>
${waysOn(addresses)}`
}

export interface ProblemTypePage {
  readonly code: string
  readonly status: number
  readonly title: string
  readonly meaning: string
  readonly remedy: string
  /** The list of all kinds. */
  readonly above: string
  readonly addresses: NextAddresses
}

/** A kind of problem. */
export function problemTypePage({ code, status, title, meaning, remedy, above, addresses }: ProblemTypePage): Markup {
  return html`<header class="head"><div><p class="crumbs"><a href="${above}">${say('Problems')}</a> / ${status} <code>${code}</code></p><h1>${told(title)}</h1></div></header>
<section class="panel" aria-label="${say('What it means')}"><p>${told(meaning, withCode)}</p>
<p><b>${say('What to do:')}</b> ${told(remedy, withCode)}</p></section>
${waysOn(addresses)}`
}

/** Every kind of problem. */
export function problemsPage(
  problems: readonly {
    readonly code: string
    readonly status: number
    readonly title: string
    readonly href: string
  }[],
): Markup {
  const rows = problems.map(
    ({ code, status, title, href }) =>
      html`<tr><th scope="row"><a href="${href}"><code>${code}</code></a></th><td class="number">${status}</td><td>${told(title)}</td></tr>\n`,
  )
  return html`<header class="head"><div><h1>${say('Problems')}</h1></div></header>
<div class="table" role="group" aria-label="${say('Problems')}" tabindex="0">
<table>
<thead><tr><th scope="col">${say('Code')}</th><th scope="col" class="number">${say('Status')}</th><th scope="col">${say('Title')}</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
</div>
`
}

const waysOn = (addresses: NextAddresses): Markup =>
  html`<nav aria-label="${say('Go on')}"><ul class="ways"><li><a href="${addresses.home}">${say('Today')}</a></li><li><a href="${addresses.board}">${say('Board')}</a></li><li><a href="${addresses.deals}">${say('Deals')}</a></li><li><a href="${addresses.customers}">${say('Customers')}</a></li></ul></nav>
`

/** Marks text between backticks as code. */
const withCode = (text: string): readonly (Markup | string)[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))
