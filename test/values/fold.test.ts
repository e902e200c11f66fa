import assert from 'node:assert/strict'
import { test } from 'node:test'
import { likePattern, occurrencePattern } from '../../src/queries/like-pattern.ts'
import { fold } from '../../src/values/fold.ts'
import { isDrawn } from '../support/inputs/drawn.ts'

test('case, accents and width make no difference', () => {
  for (const [text, folded] of [
    ['Müller', 'muller'],
    ['MÜLLER', 'muller'],
    ['Mu\u0308ller', 'muller'],
    ['Straße', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['ﾃﾞｽｸ', 'デスク'],
    ['ＡＢＣ１２', 'abc12'],
    ['İstanbul', 'istanbul'],
    ['ΣΑΣ', 'σασ'],
    ['Ǆordan ﬁn', 'dzordan fin'],
    ['ЙОЖ', 'иож'],
    ['한국', '한국'],
    ['plain ascii', 'plain ascii'],
  ] as const) {
    assert.equal(fold(text), folded, text)
  }
})

test('a folded text folds to itself, of every character', () => {
  for (let code = 0; code <= 0x10_ffff; code++) {
    if ((code >= 0xd800 && code <= 0xdfff) || !isDrawn(code, 5)) continue
    const character = String.fromCodePoint(code)
    const folded = fold(character)
    if (folded === character) continue
    assert.equal(fold(folded), folded, code.toString(16))
  }
})

test('a Latin text is folded alike by itself and beside a text of another script', () => {
  for (let code = 0x80; code < 0x300; code++) {
    for (const text of [
      String.fromCharCode(code, code),
      `Zoë${String.fromCharCode(code)}İ ß`,
      `´${String.fromCharCode(code)}`,
    ]) {
      assert.equal(`${fold(text)}漢`, fold(`${text}漢`), code.toString(16))
    }
  }
})

test('what is looked for stands for itself, and wildcards in a pattern do not', () => {
  assert.deepEqual(occurrencePattern('50%_\\É', 'contains'), { value: '%50\\%\\_\\\\e%' })
  assert.deepEqual(occurrencePattern('Ann', 'starts'), { value: 'ann%' })
  assert.deepEqual(occurrencePattern('Ann', 'ends'), { value: '%ann' })
  assert.deepEqual(likePattern('É%_\\%'), { value: 'e%_\\%' })
  // A wide percent sign is none of the pattern's.
  assert.deepEqual(likePattern('％'), { value: '\\%' })
  for (const bad of ['', 'a\\', 'a'.repeat(201), 'a\u0007']) assert.ok('fault' in likePattern(bad), bad)
  for (const bad of ['', '\u0301', 'a'.repeat(201)]) assert.ok('fault' in occurrencePattern(bad, 'contains'), bad)
})
