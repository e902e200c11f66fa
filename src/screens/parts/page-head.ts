import { type Hole, html, type Markup } from '../../representations/html/markup.ts'

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
<div${isLive && html` id="title" data-live`}>${isShown(crumbs) && html`<p class="crumbs">${crumbs}</p>`}
<h1>${title}</h1>
${isShown(marks) && html`<p class="marks">${marks}</p>\n`}${isShown(about) && html`<p class="quiet">${about}</p>\n`}${below}</div>
${beside}</header>
`
}

/** One step of the path. */
export const crumb = (href: string, text: Hole): Markup => html`<a href="${href}">${text}</a>`

const isShown = (hole: Hole): boolean => hole !== undefined && hole !== false && hole !== ''
