import { say } from '../../languages/say.ts'
import { joined } from '../../languages/text.ts'
import type { OwnField } from '../../model/field/field.ts'
import { html } from '../../representations/html/markup.ts'
import { panel, quiet } from '../parts/panel.ts'
import { thingScreen } from '../thing/thing-screen.ts'
import { fieldChange, fieldCreation } from './forms.ts'
import { optionWords } from './option-words.ts'
import { readUses, usesMarkup } from './uses.ts'

export const fieldScreen = thingScreen<OwnField>({
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
    replaceBy: ({ replaceBy }) =>
      replaceBy !== null &&
      html`${joined(
        Object.entries(replaceBy).map(([old, by]) => `${old} › ${by}`),
        ', ',
      )}`,
  },
  creating: fieldCreation,
  editing: (fields, { thing }) => fieldChange(fields, thing),
  panels: async (field, { call }) => {
    if (field.retiredAt !== null) {
      const back = say('Its values are kept. It can be restored for 30 days; then a purge removes them.')
      return () => panel('uses', say('Where it is used'), quiet(back), { live: 'always' })
    }
    const uses = await readUses(field, call)
    return () => panel('uses', say('Where it is used'), usesMarkup(uses), { live: 'always' })
  },
})
