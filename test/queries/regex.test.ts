import assert from 'node:assert/strict'
import { test } from 'node:test'
import { patternSize } from '../../src/queries/regex/pattern-size.ts'
import { compilePattern, type Pattern, regexFault } from '../../src/queries/regex/regex.ts'
import { beginMatch } from '../../src/queries/regex/stepwise-match.ts'
import { queryBounds } from '../../src/values/bounds.ts'
import { fc } from '../support/inputs/fast-check.ts'

const atoms = [
  'a',
  'b',
  'é',
  'K',
  '.',
  '\\d',
  '\\w',
  '\\b',
  '\\B',
  '^',
  '$',
  '[ab]',
  '[^a\n]',
  '\\pL',
  '[])]',
  '[[:alpha:](]',
  '\\Q({\\E',
  '\\x{61}',
  '𝒳',
  '\\A',
  '\\z',
  ' ',
  '\\n',
]
const signs = ['', '', '', '*', '+', '?', '*?', '{2}', '{0,3}', '{3,}']
const pattern = fc.letrec<{ all: string; one: string; sequence: string }>((tie) => ({
  all: fc.tuple(fc.constantFrom('', '(?i)', '(?m)', '(?s)', '^'), tie('sequence')).map((parts) => parts.join('')),
  sequence: fc.array(tie('one'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
  one: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(fc.constantFrom(...atoms), fc.constantFrom(...signs)).map((parts) => parts.join('')),
    fc.tuple(tie('sequence'), tie('sequence'), fc.constantFrom(...signs)).map(([a, b, sign]) => `(${a}|${b})${sign}`),
    fc.tuple(tie('sequence'), fc.constantFrom(...signs)).map(([a, sign]) => `(?:${a})${sign}`),
  ),
})).all
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'é', 'É', 'k', 'K', '1', '_', ' ', '\n', '𝒳', '(', '{'),
  maxLength: 30,
})

/** Nothing where RE2 takes it for no pattern. */
function compiled(text: string): Pattern | undefined {
  try {
    return compilePattern(text)
  } catch {
    return undefined
  }
}

test('a match that is left and taken up again at every character is the match of RE2', () => {
  fc.assert(
    fc.property(pattern, text, (asked, value) => {
      const made = compiled(asked)
      if (made === undefined) return
      const match = beginMatch(made, value, 1)
      let matched: boolean | undefined
      while (matched === undefined) matched = match.advance(() => true)
      assert.equal(matched, made.test(value), JSON.stringify([asked, value]))
    }),
    { numRuns: 500 },
  )
})

test('no pattern compiles to more than was told from its text', () => {
  fc.assert(
    fc.property(pattern, (asked) => {
      const size = compiled(asked)?.programSize() ?? 0
      assert.ok(patternSize(asked) >= size, `${asked}: ${patternSize(asked)} < ${size}`)
    }),
    { numRuns: 500 },
  )
})

test('a pattern that would grow beyond bounds is refused before it is compiled', () => {
  for (const bad of [
    '.{999}'.repeat(33),
    '(b?){999}'.repeat(22),
    `(?:${'b?'.repeat(90)}){999}`,
    '(?:[)]b?b?b?b?){999}',
    '(?:b?b?b?b?)(?i){999}',
  ]) {
    assert.equal(regexFault(bad)?.code, 'too-complex', bad)
  }
  for (const good of ['b.{999}[xyz]', '(b|c.{400}|d.{401}|e.{402}).{100}[xyz]', '[({]{1000}', '\\Q{999}\\E']) {
    assert.equal(regexFault(good), undefined, good)
    assert.ok((compiled(good)?.programSize() ?? 0) < queryBounds.instructions)
  }
})
