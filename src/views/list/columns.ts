import { say } from '../../languages/say.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { placeNames, settingNamed } from '../../queries/settings.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { withQuery } from '../../values/address.ts'
import { hiddenFields } from '../filters/filter-bar.ts'

export interface ColumnChoice {
  /** The list. */
  readonly address: string
  /** Where the form is sent. */
  readonly action: string
  readonly parameters: readonly Parameter[]
  /** The columns that are shown, in their order, besides the one with the link, which is always there. */
  readonly shown: readonly string[]
  /** All that there are. */
  readonly all: readonly string[]
  /** What a column is called. */
  readonly text: (field: string) => string
}

/** Chooses the columns of a list and their order. The address keeps them as `fields`. */
export function columnMenu({ address, action, parameters, shown, all, text: textOf }: ColumnChoice): Markup {
  const others = parameters.filter(({ name }) => settingNamed(name) !== 'fields' && !placeNames.has(name))
  const rest = all.filter((field) => !shown.includes(field))
  const isChosen = parameters.some(({ name }) => settingNamed(name) === 'fields')
  const entry = (field: string, at: number): Markup => {
    const text = textOf(field)
    const isShown = at >= 0
    return html`<li><label><input type="checkbox" name="fields" value="${field}"${isShown && html` checked`}> ${text}</label>${
      at > 0 &&
      html`<button type="submit" class="plain" name="earlier" value="${field}" aria-label="${say('Move {column} forward', { column: text })}">↑</button>`
    }</li>`
  }
  return html`<details class="drop"><summary class="button plain">${say('Columns')}</summary>
<form class="drop-panel columns-form" method="get" action="${action}" aria-label="${say('Columns')}">
${others.flatMap(hiddenFields)}<ul id="columns">${shown.map(entry)}${rest.map((field) => entry(field, -1))}</ul>
<p class="send"><button type="submit">${say('Show these')}</button>${isChosen && html`<a href="${withQuery(address, others)}">${say('Usual columns')}</a>`}</p>
</form></details>
`
}
