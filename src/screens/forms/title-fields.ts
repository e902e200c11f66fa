import { languages } from '../../languages/language.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { FormField } from '../../representations/document.ts'
import type { Titled } from '../../values/kinds/kind.ts'

/** A title for each language of the pages, and for those that it has already; `name` is that of all of them. */
export const titleFields = (name: string, titles: NonNullable<Titled['titles']> = {}): readonly FormField[] =>
  [...new Set([...languages.keys(), ...Object.keys(titles)])].map((tag) => ({
    name: `${name}/${tag}`,
    label: say('Title in {language}', { language: languageName(tag) }),
    schema: { type: 'string', maxLength: 200 },
    required: false,
    ...(titles[tag] !== undefined && { value: titles[tag] }),
  }))

/** Those of the whole thing, which are seldom needed. */
export const furtherTitles = (name: string, titles?: Titled['titles']): readonly FormField[] =>
  titleFields(name, titles).map((each) => ({ ...each, isFurther: true as const }))

/** The button of those of an entry. */
export const inOtherLanguages: Text = say('Titles')

const languageName =
  (tag: string): Text =>
  ({ locale }) =>
    new Intl.DisplayNames([locale], { type: 'language' }).of(tag) ?? tag
