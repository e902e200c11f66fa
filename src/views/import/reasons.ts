import { languages } from '../../languages/language.ts'
import { say } from '../../languages/say.ts'

const HEADING = 'Rejected because'

/** The heading of the column that says why a row was rejected. */
export const reasonHeading = (): string => say(HEADING)

/** The same in every language: a file that comes back has one of them. */
export const reasonHeadings = (): readonly string[] =>
  [...languages.values()].flatMap((language) => {
    const said = language().texts.get(HEADING)
    return typeof said === 'string' ? [said] : [HEADING]
  })

/** Why a row was rejected, as the reader says it. */
export const reasonText = (reason: string): string => say(reason)
