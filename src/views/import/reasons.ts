import { languages } from '../../languages/language.ts'
import { retold } from '../../languages/retold.ts'
import { say } from '../../languages/say.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { phrase, told } from '../../representations/html/phrase.ts'

/** The heading of the column that says why a row was rejected. */
export const reasonHeading = (): string => say('Rejected because')

/** The same in every language: a file that comes back has one of them. */
export const reasonHeadings = (): readonly string[] =>
  [...languages.values()].flatMap((language) => {
    const said = language().texts.get('Rejected because')
    return typeof said === 'string' ? [said] : ['Rejected because']
  })

/** Why a row was rejected, as text: each field in the reader's words, and what is wrong with it. */
export const reasonText = (reason: string, fields: readonly string[]): string =>
  partsOf(reason, fields)
    .map(([field, fault]) =>
      field === undefined
        ? (retold(fault) ?? fault)
        : say('{about}: {what}', { about: say(label(field)), what: retold(fault) ?? fault }),
    )
    .join('; ')

/** The same on a page. */
export const reasonMarkup = (reason: string, fields: readonly string[]): Markup =>
  html`${partsOf(reason, fields).map(
    ([field, fault], at) =>
      html`${at > 0 && '; '}${field === undefined ? told(fault) : phrase('{about}: {what}', { about: say(label(field)), what: told(fault) })}`,
  )}`

/** A reason names fields as programs know them: `age must be …; name is required`. */
const partsOf = (reason: string, fields: readonly string[]): readonly (readonly [string | undefined, string])[] =>
  reason.split('; ').map((part) => {
    const field = fields.find((each) => part.startsWith(`${each} `))
    return field === undefined ? [undefined, part] : [field, part.slice(field.length + 1)]
  })
