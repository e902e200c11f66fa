import { languages } from '../../languages/language.ts'
import { say } from '../../languages/say.ts'

/** The heading of the column that says why a row was rejected. */
export const reasonHeading = say('Rejected because')

/** The same in every language: a file that is uploaded again has one of them. */
export const reasonHeadings = (): readonly string[] =>
  [...languages.values()].flatMap((language) => {
    const said = language().texts.get('Rejected because')
    return typeof said === 'string' ? [said] : ['Rejected because']
  })
