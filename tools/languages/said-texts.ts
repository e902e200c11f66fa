import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressesAt } from '../../src/http/contract/addresses.ts'
import { type ProblemCode, problemTypes } from '../../src/http/contract/problems/problem-types.ts'
import { anybody } from '../../src/languages/reader.ts'
import { membersToCreate } from '../../src/model/declaration/resource.ts'
import type { Operation } from '../../src/model/declaration/schema.ts'
import { buildSchema } from '../../src/model/schema/build-schema.ts'
import { collectionsOf } from '../../src/queries/collections.ts'
import type { FormField, PickedThings } from '../../src/representations/document.ts'
import { MOST_CHOICES } from '../../src/representations/html/form.ts'
import { label } from '../../src/representations/html/label.ts'
import { picksOf } from '../../src/screens/forms/picks.ts'
import { explanationOf } from '../../src/screens/problem/for-people.ts'
import { navigationAt } from '../../src/screens/shell/navigation.ts'
import { declaredTexts } from './declared-texts.ts'

/** The key of a fault, or of a word of the model that is filled into sentences; other texts are their own keys. */
export const hasKey = (text: string): boolean => /^(?:fault|word)\.\S+$/.test(text)

const schema = buildSchema()
const src = join(import.meta.dirname, '../../src')

/** One literal, or one of the two that a condition chooses from. */
const literal = String.raw`(?:'((?:[^'\\]|\\.)+)'|"([^"]+)")`
const chosen = String.raw`(?:[^'\u0060(),]*\?\s*)?${literal}(?:\s*:\s*${literal})?`

/** What pages say, with `say` or `phrase`. */
const said = (): readonly string[] =>
  textsIn(['{screens,representations,imports,http,doors}/**/*.{ts,js}'], String.raw`\b(?:say|phrase)\(\s*${chosen}`)

/** The titles of documents and the texts of problems. What programs alone can do wrong stays English. */
const told = (): readonly string[] => [
  ...textsIn(
    ['screens/*/*.ts', 'screens/*/!(endpoints)/*.ts'],
    String.raw`(?:\b(?:title|detail): |: Told = )${chosen}`,
  ),
  ...textsIn(
    ['http/{contract,gate,endpoints,respond}/**/*.ts', 'screens/*/endpoints/*.ts'],
    String.raw`(?:\b(?:title|text|detail|plainly): |: Told = )(?!'[a-z])${chosen}`,
  ),
  // Those with places, wherever they stand.
  ...textsIn(
    ['http/{contract,request,endpoints,respond}/**/*.ts', 'screens/*/endpoints/*.ts'],
    String.raw`'((?=[A-Z{][^'\n]* )[^'\u0060\\\n]*\{\w+\}[^'\u0060\\\n]*)'`,
  ),
]

const textsIn = (files: readonly string[], pattern: string): readonly string[] =>
  globSync(files, { cwd: src }).flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(new RegExp(pattern, 'g'))].flatMap(([, ...texts]) =>
      texts.flatMap((text) => (text === undefined ? [] : [text.replaceAll("\\'", "'")])),
    ),
  )

/** What the model declares in English and pages say. */
const declared = (): readonly string[] => [
  ...declaredTexts(),
  ...schema.resources.flatMap(({ name, plural }) => [label(plural), `New ${name}`]),
  ...schema.operations.flatMap(fieldTexts),
  ...Object.entries(problemTypes(schema)).flatMap(([code, { title }]) => {
    const { meaning, remedy } = explanationOf(code as ProblemCode)
    return [title, meaning, remedy]
  }),
  ...Object.values(collectionsOf(schema)).flatMap(({ fields }) =>
    [...fields.keys()].filter((name) => !name.includes('.')).map(label),
  ),
  ...navigationAt(addressesAt(''), schema).map((place) => place.label),
]

/** The fields of an operation's form: their labels, choices and examples. */
function fieldTexts(operation: Operation): readonly string[] {
  const { on, params, examples, differences } = operation
  return Object.entries(differences ? membersToCreate(on) : params).flatMap(([name, { kind }]) => {
    const picks = picksOf(name, kind, operation, { base: '' })
    if (picks !== undefined) return pickerTexts(picks)
    const choices = Array.isArray(kind.schema.enum) && kind.schema.enum.length <= MOST_CHOICES ? kind.schema.enum : []
    const example = examples[0][name]
    const isWords =
      typeof example === 'string' && kind.name === 'text' && !kind.namesUser && /^[\p{L} ,.]+$/u.test(example)
    return [label(name), ...choices.map((each) => label(String(each))), ...(isWords ? [example] : [])]
  })
}

const pickerTexts = ({ label, noun, creation = [] }: PickedThings & Pick<FormField, 'label'>): readonly string[] => [
  label(anybody),
  `New ${noun}`,
  `No ${noun} matches “{text}”.`,
  `Look for another ${noun}`,
  ...creation.map((field) => field.label(anybody)),
]

/** Every text that pages say, in English. */
export const saidTexts = (): ReadonlySet<string> => new Set([...said(), ...told(), ...declared()])
