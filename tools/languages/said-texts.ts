import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressesAt } from '../../src/http/addresses.ts'
import { navigationAt } from '../../src/http/navigation.ts'
import { explanationOf } from '../../src/http/respond/problems/problem-for-people.ts'
import { type ProblemCode, problemTypes } from '../../src/http/respond/problems/problem-types.ts'
import { RETOLD } from '../../src/languages/retold.ts'
import { statuses } from '../../src/model/deal/deal.ts'
import type { Operation } from '../../src/model/operation.ts'
import { membersToCreate } from '../../src/model/resource.ts'
import { operations, resources } from '../../src/model/resources.ts'
import { collections } from '../../src/queries/collections.ts'
import type { PickedThings } from '../../src/representations/document.ts'
import { MOST_CHOICES } from '../../src/representations/html/form.ts'
import { label } from '../../src/representations/html/label.ts'
import { picksOf } from '../../src/views/page-forms/picks.ts'
import { declaredTexts } from './declared-texts.ts'
import { toldTexts } from './told-texts.ts'

const src = join(import.meta.dirname, '../../src')

/** A literal that is said: the first argument of `say` or `phrase`, or one of the two that a condition chooses from. */
const literal = String.raw`(?:'((?:[^'\\]|\\.)+)'|"([^"]+)")`
const saying = new RegExp(String.raw`\b(?:say|phrase)\(\s*(?:[^'(),]*\?\s*)?${literal}(?:\s*:\s*${literal})?`, 'g')

const inSource = (): readonly string[] =>
  globSync(['{views,representations,http}/**/*.{ts,js}'], { cwd: src }).flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(saying)].flatMap(([, ...texts]) =>
      texts.flatMap((text) => (text === undefined ? [] : [text.replaceAll("\\'", "'")])),
    ),
  )

/** The titles of documents, which the layout says. */
const titles = (): readonly string[] =>
  globSync('http/resources/**/*.ts', { cwd: src }).flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(new RegExp(String.raw`\btitle: ${literal}`, 'g'))].flatMap(
      ([, title]) => (title === undefined ? [] : [title]),
    ),
  )

/** What the model declares in English and pages say. */
const declared = (): readonly string[] => [
  ...declaredTexts(),
  ...resources.flatMap(({ name, plural }) => [label(plural), `New ${name}`]),
  ...operations.flatMap(fieldTexts),
  ...Object.entries(problemTypes).flatMap(([code, { title }]) => {
    const { meaning, remedy } = explanationOf(code as ProblemCode)
    return [title, meaning, remedy]
  }),
  ...toldTexts(),
  // What is filled into them.
  ...[...resources.map(({ name }) => name), ...statuses].map((word) => word + RETOLD),
  ...Object.values(collections).flatMap(({ fields }) =>
    [...fields.keys()].filter((name) => !name.includes('.')).map(label),
  ),
  ...navigationAt(addressesAt('')).map((place) => place.label),
]

/** The fields of an operation's form: their labels, choices and examples. */
function fieldTexts(operation: Operation): readonly string[] {
  const { on, params, examples, differences } = operation
  return Object.entries(differences ? membersToCreate(on) : params).flatMap(([name, { kind }]) => {
    const picks = picksOf(name, kind.refersTo, operation, { base: '' })
    if (picks !== undefined) return pickerTexts(picks)
    const choices = Array.isArray(kind.schema.enum) && kind.schema.enum.length <= MOST_CHOICES ? kind.schema.enum : []
    const example = examples[0][name]
    const isWords =
      typeof example === 'string' && kind.name === 'text' && !kind.namesUser && /^[\p{L} ,.]+$/u.test(example)
    return [label(name), ...choices.map((each) => label(String(each))), ...(isWords ? [example] : [])]
  })
}

const pickerTexts = ({ label, noun, creation = [] }: PickedThings & { readonly label: string }): readonly string[] => [
  label,
  `New ${noun}`,
  `No ${noun} matches “{text}”.`,
  `Look for another ${noun}`,
  ...creation.map((field) => field.label),
]

/** Every text that pages say, in English. */
export const saidTexts = (): ReadonlySet<string> => new Set([...inSource(), ...titles(), ...declared()])
