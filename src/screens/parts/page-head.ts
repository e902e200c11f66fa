import type { Text } from '../../languages/text.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'

export interface PageHead {
  /** The path to the page, from above. */
  readonly crumbs?: Hole
  readonly title: Hole
  /** The state of the page's subject. */
  readonly marks?: Hole
  /** A sentence about the page. */
  readonly about?: Hole
  /** Further content below the title. */
  readonly below?: Hole
  /** Links and forms next to the title. */
  readonly beside?: Hole
  /** The id of the thing whose events update the page, or `all`. */
  readonly watch?: string | number
  readonly isLive?: boolean
}

/** The head of a page. */
export function pageHead({ crumbs, title, marks, about, below, beside, watch, isLive }: PageHead): Markup {
  return html`<header class="head"${watch !== undefined && html` data-watch="${watch}"`}>
<div${isLive && html` id="title" data-live`}>${paragraph('crumbs', crumbs)}
<h1>${title}</h1>
${paragraph('marks', marks)}${paragraph('quiet', about)}${below}</div>
${beside}</header>
`
}

/** One step of the path. */
export const crumb = (href: string, text: Hole): Markup => html`<a href="${href}">${text}</a>`

const paragraph = (kind: string, hole: Hole): Markup | undefined =>
  hole === undefined || hole === false || hole === '' ? undefined : html`<p class="${kind}">${hole}</p>\n`

export interface Choice {
  readonly href: string
  readonly text: Hole
  readonly isCurrent: boolean
  readonly kind?: string | undefined
}

/** Links to choose from, of which one is where the page is; `page` if each is a page of its own. */
export function choices(
  name: Text,
  kind: 'tabs' | 'switch',
  all: readonly Choice[],
  current: 'page' | 'true' = 'true',
): Markup {
  const links = all.map(({ href, text, isCurrent, kind: tone }) => {
    const mark = isCurrent && html` aria-current="${current}"`
    return html`<li><a href="${href}"${mark}${tone !== undefined && html` class="${tone}"`}>${text}</a></li>\n`
  })
  return html`<nav class="${kind}" aria-label="${name}"><ul>
${links}</ul></nav>
`
}
