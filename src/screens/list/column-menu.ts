import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { placeNames, settingNamed } from '../../queries/settings.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { withQuery } from '../../values/address.ts'
import { memoize } from '../../values/memoize.ts'
import { hiddenFields } from '../filters/filter-bar.ts'

export interface ColumnChoice {
  /** The list. */
  readonly address: string
  /** The target of the form. */
  readonly action: string
  readonly parameters: readonly Parameter[]
  /** The shown columns, in order, without the one with the link, which is always there. */
  readonly shown: readonly string[]
  /** All columns: the same array for the same columns, because the menu is cached by it. */
  readonly all: readonly string[]
  /** The name of a column. */
  readonly text: (field: string) => Text
}

/** Chooses the columns of a list and their order. The address keeps them as `fields`. */
export function columnMenu({ address, action, parameters, shown, all, text }: ColumnChoice): Markup {
  const others = parameters.filter(({ name }) => settingNamed(name) !== 'fields' && !placeNames.has(name))
  const isChosen = parameters.some(({ name }) => settingNamed(name) === 'fields')
  const usual = html`<a href="${withQuery(address, others)}">${say('Usual columns')}</a>`
  return html`<details class="drop"><summary class="button plain" data-icon="columns">${say('Columns')}</summary>
<form class="drop-panel columns-form" method="get" action="${action}" aria-label="${say('Columns')}">
${others.flatMap(hiddenFields)}${entriesOf(all)(shown.join(), shown, text)}
<p class="send"><button type="submit">${say('Show these')}</button>${isChosen && usual}</p>
</form></details>
`
}

/** Most lists have the usual columns. */
const entriesOf = bySchema((all: readonly string[]) =>
  memoize((_key, shown: readonly string[], textOf: ColumnChoice['text']) => entries(shown, all, textOf)),
)

function entries(shown: readonly string[], all: readonly string[], textOf: ColumnChoice['text']): Markup {
  const rest = all.filter((field) => !shown.includes(field))
  const entry = (field: string, at: number): Markup => {
    const text = textOf(field)
    const box = html`<input type="checkbox" name="fields[]" value="${field}"${at >= 0 && html` checked`}>`
    const move = say('Move {column} forward', { column: text })
    const sent = html`name="earlier" value="${field}"`
    const button = html`<button type="submit" class="plain" ${sent} aria-label="${move}">↑</button>`
    return html`<li><label>${box} ${text}</label>${at > 0 && button}</li>`
  }
  return html`<ul id="columns">${shown.map(entry)}${rest.map((field) => entry(field, -1))}</ul>`.oncePerLanguage()
}
