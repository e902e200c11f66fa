import { say } from '../../languages/say.ts'
import { joined } from '../../languages/text.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { OwnField } from '../../model/nouns/field/field.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import { titleText, titleWords } from '../../representations/html/field-title.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { withQuery } from '../../values/address.ts'
import { ownField } from '../../values/json/own.ts'
import { panel, quiet } from '../parts/panel.ts'
import { valueText } from '../parts/value-text.ts'
import { type ThingContext, thingScreen } from '../thing/thing-screen.ts'
import { fieldChange, fieldCreation } from './forms.ts'
import { optionWords } from './option-words.ts'
import { readUses, usesMarkup } from './uses.ts'

export const fieldScreen = thingScreen<OwnField>({
  notices: (field, about) => [closingNotice(field), failedNotice(field, about)],
  turns: ['restore'],
  elsewhere: ['repeats', 'replaceBy', 'position'],
  facts: {
    titles: ({ titles }) => titleWords(titles),
    options: (field) => Object.keys(field.options).length > 0 && optionWords(field),
    group: ({ group }) => group !== null && undefined,
    help: ({ help }) => help !== null && undefined,
    retiredAt: ({ retiredAt }) => retiredAt !== null && undefined,
  },
  creating: fieldCreation,
  editing: (fields, { thing, resource }) => fieldChange(fields, thing, resource.schema),
  panels: async (field, { call }) => {
    if (field.retiredAt !== null) {
      const back =
        field.state === 'purged'
          ? say('Its values were removed. Its name is not used again.')
          : say('Its values are kept. It can be restored for 30 days; then a purge removes them.')
      return () => panel('uses', say('Where it is used'), quiet(back), { live: 'always' })
    }
    const uses = await readUses(field, call)
    return () => panel('uses', say('Where it is used'), usesMarkup(uses), { live: 'always' })
  },
})

/** Some of its choices are given to nothing any more. */
function closingNotice({ options: { values = [] } }: OwnField): Markup | undefined {
  const leaving = values.filter(({ closing }) => closing)
  if (leaving.length === 0) return undefined
  const what = phrase('These choices are being replaced: {choices}.', { choices: joined(leaving.map(titleText), ', ') })
  return html`<p class="notice held">${what}</p>\n`
}

/** Several things have the same value: each leads to those that have it, deleted ones too, which keep their values. */
function failedNotice(
  { on, name, state, repeats, retiredAt }: OwnField,
  { resource: { schema }, addresses }: ThingContext,
): Markup | undefined {
  if (state !== 'failed' || repeats === null || retiredAt !== null) return undefined
  const resource: Resource = resourceNamed(schema, on)
  const field = ownField(name)
  const { keepsDeleted } = resource
  const values = repeats.map(({ value }, at) => {
    const raw = `${field}=${encodeURIComponent(String(value))}${keepsDeleted ? '&deleted.in=true,false' : ''}`
    const text = valueText(resource, field, { [field]: value })
    return html`${at > 0 && ', '}<a href="${withQuery(`${addresses.base}${resource.path}`, [{ raw }])}">${text}</a>`
  })
  const what = phrase('The field did not become unique, because several entries have the same value: {values}.', {
    values: html`${values}`,
  })
  const remedy = say('Give them different values, then make the field unique again.')
  const deleted = keepsDeleted && html` ${say('A deleted entry keeps its value: restore it to change that.')}`
  return html`<p class="notice held">${what} ${remedy}${deleted}</p>\n`
}
