import { say } from '../../languages/say.ts'
import { joined } from '../../languages/text.ts'
import type { OwnField } from '../../model/field/field.ts'
import { titleText } from '../../representations/html/field-title.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { panel, quiet } from '../parts/panel.ts'
import { thingScreen } from '../thing/thing-screen.ts'
import { fieldChange, fieldCreation } from './forms.ts'
import { optionWords } from './option-words.ts'
import { readUses, usesMarkup } from './uses.ts'

export const fieldScreen = thingScreen<OwnField>({
  notices: (field) => closingNotice(field),
  elsewhere: ['replaceBy'],
  texts: { options: say('Choices and limits') },
  facts: {
    titles: ({ titles }) => {
      const all = Object.entries(titles).map(([tag, title]) => `${title} (${tag})`)
      return all.length > 0 && html`${joined(all, ', ')}`
    },
    options: (field) => Object.keys(field.options).length > 0 && optionWords(field),
    help: ({ help }) => help !== null && undefined,
    retiredAt: ({ retiredAt }) => retiredAt !== null && undefined,
    repeats: ({ repeats }) =>
      repeats !== null &&
      html`${joined(
        repeats.map(({ value }) => String(value)),
        ', ',
      )}`,
  },
  creating: fieldCreation,
  editing: (fields, { thing }) => fieldChange(fields, thing),
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
