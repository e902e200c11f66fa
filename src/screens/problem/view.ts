import type { Addresses } from '../../http/contract/addresses.ts'
import { say } from '../../languages/say.ts'
import type { Told } from '../../languages/tell.ts'
import { forDevelopers } from '../../representations/html/for-developers.ts'
import { told } from '../../representations/html/phrase.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { addressable } from '../../values/address.ts'
import type { Fault } from '../../values/faults/fault.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import { table } from '../parts/table.ts'

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

type NextAddresses = Pick<Addresses, 'base' | 'home' | 'board' | 'deals' | 'customers'>

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
  const faults = errors.map((fault) => {
    const { pointer, parameter, header } = fault.at
    const place = parameter ?? pointer ?? header ?? ''
    return html`<li>${place !== '' && html`<code>${place}</code> `}${told(fault)}</li>`
  })
  const what =
    errors.length === 0
      ? html`<p class="detail">${told(detail, withLink(detail, addresses.base))}</p>`
      : html`<ul class="errors">${faults}</ul>`
  const signIn = html`<p><a class="button" href="${addresses.home}">${say('Sign in')}</a></p>\n`
  return html`${pageHead({ crumbs: status, title: told(title) })}<section class="panel" aria-label="${say('The problem')}">
${what}
${explanation(meaning, remedy)}${status === 401 && signIn}<p class="quiet">
${forDevelopers(html`<a href="${about}">${say('About this kind of problem')}</a> · `)}${say('Request')} <code>${request}</code></p>
</section>
${waysOn(addresses)}`
}

const explanation = (meaning: string, remedy: string): Markup => html`<p>${told(meaning, withCode)}</p>
<p><b>${say('What to do:')}</b> ${told(remedy, withCode)}</p>
`

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

/** Stands for a text that differs each time. */
const VARIES = '…'

/** A kind of problem. */
export function problemTypePage({ code, status, title, meaning, remedy, above, addresses }: ProblemTypePage): Markup {
  const example = JSON.stringify(
    { type: `${above}/${code}`, title, status, detail: VARIES, code, instance: `urn:dealdesk:request:${VARIES}` },
    null,
    2,
  )
  const head = pageHead({
    crumbs: [crumb(above, say('Problems')), ` / ${status} `, html`<code>${code}</code>`],
    title: told(title),
  })
  return html`${head}<section class="panel" aria-label="${say('What it means')}">${explanation(meaning, remedy)}</section>
<section class="panel" aria-label="${say('An example')}"><pre tabindex="0"><code translate="no">${example}</code></pre></section>
${waysOn(addresses)}`
}

interface ListedProblem {
  readonly code: string
  readonly status: number
  readonly title: string
  readonly href: string
}

/** Every kind of problem. */
export function problemsPage(problems: readonly ListedProblem[]): Markup {
  const shown = table<ListedProblem>({
    id: 'problems-caption',
    caption: say('Problems'),
    columns: [
      { head: say('Code'), cell: ({ code, href }) => crumb(href, html`<code>${code}</code>`) },
      { head: say('Status'), kind: 'number', cell: ({ status }) => status },
      { head: say('Title'), cell: ({ title }) => told(title) },
    ],
    rows: problems,
  })
  return html`${pageHead({ title: say('Problems') })}${shown}`
}

function waysOn({ home, board, deals, customers }: NextAddresses): Markup {
  const ways = [
    crumb(home, say('Today')),
    crumb(board, say('Board')),
    crumb(deals, say('Deals')),
    crumb(customers, say('Customers')),
  ]
  return html`<nav aria-label="${say('Go on')}"><ul class="ways">${ways.map((way) => html`<li>${way}</li>`)}</ul></nav>
`
}

/** Makes a suggested address a link, unless a part of it is open. */
const withLink =
  (detail: Told, base: string) =>
  (text: string): readonly (Markup | string)[] => {
    const near = typeof detail === 'string' ? undefined : detail.with?.near
    const at = typeof near === 'string' && /^\/[^{]*$/.test(near) ? text.lastIndexOf(near) : -1
    if (at === -1) return [text]
    const end = at + String(near).length
    return [text.slice(0, at), crumb(base + addressable(String(near)), String(near)), text.slice(end)]
  }

/** Marks text between backticks as code. */
const withCode = (text: string): readonly (Markup | string)[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))
