import { say } from '../../languages/say.ts'
import { joined } from '../../languages/text.ts'
import type { OwnField } from '../../model/nouns/field/field.ts'
import { titleText } from '../../representations/html/field-title.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'

/** The options of a field in words: its choices, the longest text, or what it leads to. */
export function optionWords({ options: { values, max, to } }: Pick<OwnField, 'options'>): Markup {
  if (values !== undefined) return html`${joined(values.map(titleText), ', ')}`
  if (max !== undefined) return html`${say('at most {count} characters', { count: Number(max) })}`
  return html`${to !== undefined && say(label(to))}`
}
