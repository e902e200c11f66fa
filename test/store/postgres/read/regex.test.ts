import assert from 'node:assert/strict'
import { test } from 'node:test'
import { translateRegex as pattern } from '../../../../src/store/postgres/sql/regex.ts'

test('places and groups are said in the words of PostgreSQL', () => {
  assert.equal(pattern('^a\\b$'), '^a\\y$')
  assert.equal(pattern('\\Aab\\z'), '\\Aab\\Z')
  assert.equal(pattern('(?P<year>a|b)+?(c)'), '(?:a|b)+(?:c)')
  assert.equal(pattern('(?m)^a$'), '(?:^|(?<=\\n))a(?:$|(?=\\n))')
})

test('a dot matches a line end only when asked to, a negated class always does', () => {
  assert.equal(pattern('a.b'), 'a[^\\n]b')
  assert.equal(pattern('(?s)a.b'), 'a.b')
  assert.equal(pattern('[^a]'), '[^\\U00000061]')
})

test('case is ignored as Unicode has it, whatever the collation', () => {
  assert.equal(pattern('(?i)k'), '[\\U0000004b\\U0000006b\\U0000212a]')
  assert.equal(pattern('(?i:é)e'), '(?:[\\U000000c9\\U000000e9])e')
  assert.equal(pattern('(?i)1'), '1')
})

test('what a letter is without its case is read from re2js 2.10', () => {
  assert.equal(pattern('(?i)ß'), '[\\U000000df\\U00001e9e]')
  assert.equal(pattern('(?i)\\x{10ffff}'), '\u{10ffff}')
  assert.equal(pattern('(?i)\\x00'), pattern('[\\x00]'))
  assert.equal(pattern('(?i)[^\\n]'), '[^\\U0000000a]')
  assert.equal(pattern('[\\x00]'), pattern('[^\\x00-\\x{10FFFF}]'))
})

test('what only looks like syntax is taken as it is', () => {
  assert.equal(pattern('a{,2}'), 'a\\U0000007b\\U0000002c2\\U0000007d')
  assert.equal(pattern('\\Q*\\E\\.'), '\\U0000002a\\U0000002e')
})

test('a class of Unicode is written as its characters', () => {
  assert.equal(pattern('\\p{Sk}').slice(0, 11), '[\\U0000005e')
  assert.equal(pattern('[\\p{Ogham}x]'), '[\\U00000078\\U00001680-\\U0000169c]')
  assert.equal(pattern('\\p{^Any}'), pattern('\\P{Any}'))
  assert.match(pattern('(?i)\\p{Lu}'), /\\U00000061/)
})

test('what PostgreSQL has no word for is said otherwise', () => {
  assert.equal(pattern('(?U)a+b*'), 'a+b*')
  assert.equal(pattern('^*a$+\\b{0}\\B{2,3}'), 'a$\\Y')
  assert.equal(pattern('a{256}'), 'a{255}a{1}')
  assert.equal(pattern('a{600,}b'), 'a{255}a{255}a{90,}b')
  assert.equal(pattern('a{2,300}'), 'a{2,255}a{0,45}')
  assert.equal(pattern('\\Qab\\E{300}'), 'ab{255}b{45}')
  assert.equal(pattern('a\\Q\\E{300}'), 'a{255}a{45}')
  assert.equal(pattern('a+\\Q\\E{0}b'), '(?:a+){0}b')
})

test('a quantifier behind flags repeats what is before them', () => {
  assert.equal(pattern('a(?i)*1'), 'a*1')
  assert.equal(pattern('ab{2}(?s)\\Q\\E(?-i)?.'), 'a(?:b{2})?.')
  assert.equal(pattern('^(?m){0}b'), 'b')
})
