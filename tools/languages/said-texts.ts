import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressesAt } from '../../src/http/addresses.ts'
import { navigationAt } from '../../src/http/navigation.ts'
import { operations } from '../../src/model/resources.ts'
import { collections } from '../../src/queries/collections.ts'
import { label } from '../../src/representations/html/label.ts'

const src = join(import.meta.dirname, '../../src')

/** A literal that is said: the first argument of `say` or `phrase`, or one of the two that a condition chooses from. */
const literal = String.raw`'((?:[^'\\]|\\.)*)'`
const saying = new RegExp(String.raw`\b(?:say|phrase)\(\s*(?:[^'(),]*\?\s*)?${literal}(?:\s*:\s*${literal})?`, 'g')

const inSource = (): readonly string[] =>
  globSync(['{views,representations,http}/**/*.{ts,js}'], { cwd: src }).flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(saying)].flatMap(([, first, second]) =>
      [first, second].flatMap((text) => (text === undefined ? [] : [text.replaceAll("\\'", "'")])),
    ),
  )

/** The titles of documents, which the layout says. */
const titles = (): readonly string[] =>
  globSync('http/resources/**/*.ts', { cwd: src }).flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(new RegExp(String.raw`\btitle: ${literal}`, 'g'))].flatMap(
      ([, title]) => (title === undefined ? [] : [title]),
    ),
  )

/** What declarations call things in English, and pages say. */
const declared = (): readonly string[] => [
  ...operations.flatMap(({ title, group }) => [title, group]),
  ...Object.values(collections).flatMap(({ fields }) =>
    [...fields.keys()].filter((name) => !name.includes('.')).map(label),
  ),
  ...navigationAt(addressesAt('')).map((place) => place.label),
]

/** Every text that pages say, in English. */
export const saidTexts = (): ReadonlySet<string> => new Set([...inSource(), ...titles(), ...declared()])
