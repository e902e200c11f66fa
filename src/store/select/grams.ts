import type { Resource, Schema } from '../../model/declaration/schema.ts'
import { digitsName } from '../../values/digits.ts'
import { isOwn, OWN } from '../../values/json/own.ts'
import { columnOfField, END, FOLDED } from '../rows/things.ts'
import type { SqlDialect } from '../sql/dialect.ts'

/** A change of folding or cutting rebuilds every index. */
export const GRAMS_VERSION = 1

/** The most grams of a search: more of them hardly narrow the result. */
const MOST_GRAMS = 12

/** The searched members of the thing itself: declared fields, and the values of added ones, whichever are searched. */
export const searchedOf = ({ searched = [], kinds, extensible }: Resource): readonly string[] => [
  ...searched.filter((field) => field in kinds && !isOwn(field)),
  ...(extensible ? [OWN] : []),
]

/** The resources that have such fields. */
export const searchedIn = ({ resources }: Schema): readonly Resource[] =>
  resources.filter((resource) => searchedOf(resource).length > 0)

export const gramTable = (table: string): string => `${table}_grams`

/** The columns whose change changes the grams. */
export const searchedColumns = (resource: Resource): readonly string[] => [
  ...searchedOf(resource).map((field) => columnOfField(resource, field)),
  FOLDED,
]

/** The text of a row that is cut into grams of three characters. */
export function gramText(resource: Resource, row: string, { member, lower }: SqlDialect): string {
  const folded = (name: string): string => member(`${row}.${FOLDED}`, name)
  const texts = searchedOf(resource).map((field) =>
    field === OWN ? folded(field) : `coalesce(${folded(field)}, ${lower(`${row}.${columnOfField(resource, field)}`)})`,
  )
  const digits = dialledOf(resource).map((field) => folded(digitsName(field)))
  return [...texts, ...digits].map((text) => `coalesce(${text} || '${END}', '')`).join(' || ')
}

/** Whether a row may have folded texts or digits, by the condition that a text is beyond ASCII. */
export const mayBeFolded = (resource: Resource, isBeyondAscii: (column: string) => string): string =>
  [
    ...resource.texts.map((field) => isBeyondAscii(columnOfField(resource, field))),
    ...dialledOf(resource).map((field) => `${columnOfField(resource, field)} IS NOT NULL`),
    ...(resource.extensible ? [`${OWN} IS NOT NULL`] : []),
  ].join(' OR ')

const dialledOf = ({ dialled = [] }: Resource): readonly string[] => dialled.filter((field) => !isOwn(field))

/** Whether a text has a gram; a shorter one is the beginning of grams. */
export const hasGram = (literal: string): boolean => Array.from(literal).length >= 3

/** Some grams of a text, as many as are useful. */
export function gramsOf(literal: string): readonly string[] {
  const characters = Array.from(literal)
  const grams = [...new Set(characters.slice(2).map((_, at) => characters.slice(at, at + 3).join('')))]
  const apart = Math.max(1, grams.length / MOST_GRAMS)
  return grams.filter((_, at) => Math.floor(at / apart) !== Math.floor((at - 1) / apart))
}
