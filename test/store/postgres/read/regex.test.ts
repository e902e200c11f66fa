import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collections } from '../../../../src/queries/collections.ts'
import { parseQuery } from '../../../../src/queries/parse-query.ts'
import { translateRegex, untranslatable } from '../../../../src/store/postgres/read/regex.ts'

const pattern = (regex: string): string => {
  const translation = translateRegex(regex)
  assert.ok('pattern' in translation, JSON.stringify(translation))
  return translation.pattern
}

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
  assert.equal(pattern('(?i)k'), '[\\U0000006b\\U0000004b\\U0000212a]')
  assert.equal(pattern('(?i:é)e'), '(?:[\\U000000e9\\U000000c9])e')
  assert.equal(pattern('(?i)1'), '1')
})

test('what only looks like syntax is taken as it is', () => {
  assert.equal(pattern('a{,2}'), 'a\\U0000007b\\U0000002c2\\U0000007d')
  assert.equal(pattern('\\Q*\\E\\.'), '\\U0000002a\\U0000002e')
})

test('what PostgreSQL cannot be asked for is refused with the reason', () => {
  for (const regex of ['\\p{L}', '[\\pN]', 'a{256}', '(?U)a', '^*', '\\x00'])
    assert.ok('fault' in translateRegex(regex), regex)
  const parsed = parseQuery(collections.customers, 'age=3&name.regex=a&email.regex=%5Cp%7BL%7D')
  assert.ok('query' in parsed)
  assert.equal(untranslatable(parsed.query.filter)?.field, 'email')
})
