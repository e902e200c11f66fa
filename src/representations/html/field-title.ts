import type { Reader } from '../../languages/reader.ts'
import { say } from '../../languages/say.ts'
import { joined, type Text } from '../../languages/text.ts'
import type { Kind, Titled, Within } from '../../values/kinds/kind.ts'
import { html, type Markup } from '../markup/markup.ts'
import { label } from './label.ts'

/** The name of a field for people: its title if it was added at run time, else its name in plain words. */
export const fieldTitle = (name: string, kind: Pick<Kind<unknown>, 'titled'> | undefined): Text =>
  kind?.titled === undefined ? say(label(name)) : titleText(kind.titled)

/** A title in the reader's language, if it has one. */
export const titleText =
  ({ title, titles }: Titled): Text =>
  (reader) =>
    titleIn(titles, reader) ?? title

/** All of the titles in languages; `false` if there are none. */
export function titleWords(titles: NonNullable<Titled['titles']>): Markup | false {
  const all = Object.entries(titles).map(([tag, title]) => `${title} (${tag})`)
  return all.length > 0 && html`${joined(all, ', ')}`
}

const titleIn = (titles: Titled['titles'] = {}, { language: { tag } }: Reader): string | undefined =>
  Object.hasOwn(titles, tag) ? titles[tag] : undefined

/**
 * The name of a choice of such a field, or of an arranged one, for people; undefined for others. `of` is the value of
 * the other field, if it depends on one.
 */
export function choiceTitle(
  { titled, words, within }: Pick<Kind<unknown>, 'titled' | 'words' | 'within'>,
  value: string,
  of?: unknown,
): Text | undefined {
  const known = titled?.values?.get(value)
  if (known !== undefined) return titleText(known)
  const word = within?.groups.get(of)?.words.get(value) ?? words?.get(value)
  return word === undefined ? undefined : wordText(value, word)
}

/** A title that was not changed is translated. */
export function wordText(name: string, { title, titles }: Titled): Text {
  const usual = title === label(name) ? say(title) : () => title
  return (reader) => titleIn(titles, reader) ?? usual(reader)
}

/** The title of the choice that others depend on, such as a stage's pipeline; undefined if there is only one. */
export function groupTitle({ groups }: Within, of: unknown): Text | undefined {
  const found = groups.size > 1 ? groups.get(of) : undefined
  return found && wordText(String(of), found)
}
