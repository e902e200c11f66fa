import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '../../src/model/resources.ts'

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

/** What the model declares in English and pages say. */
const declared = (): readonly string[] => operations.flatMap(({ title, group }) => [title, group])

/** Every text that pages say, in English. */
export const saidTexts = (): ReadonlySet<string> => new Set([...inSource(), ...declared()])
