import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fault, reason } from '../../../src/values/faults/fault.ts'
import { choice, nameText, text, textFault } from '../../../src/values/kinds/text.ts'

const name = nameText({ min: 1, max: 5 })

test('a text is counted in code points, not in UTF-16 units', () => {
  assert.deepEqual(name.read('😀😀😀😀😀'), { value: '😀😀😀😀😀' })
  assert.deepEqual(name.read('😀😀😀😀😀😀'), fault('too-long', { max: 5, length: 6 }))
})

test('surrounding white space is not part of a name, nor of its length', () => {
  assert.deepEqual(name.read('  abcde\n'), { value: 'abcde' })
  assert.deepEqual(name.read(' \t\n '), fault('blank'))
  assert.deepEqual(name.read(''), fault('blank'))
})

test('a text that is no name is kept exactly as it was sent', () => {
  assert.deepEqual(text({ min: 1, max: 5 }).read('  a\n '), { value: '  a\n ' })
  assert.ok('fault' in text({ min: 1, max: 5 }).read(' abcde'))
  assert.deepEqual(text({ min: 0, max: 5 }).read(' '), { value: ' ' })
  assert.deepEqual(text({ min: 0, max: 5 }).read(''), { value: '' })
})

test('a required text has a visible character', () => {
  const blanks = [
    '\u200b',
    ' \u00a0\u3000',
    '\u200d\u2060',
    '\u3164',
    '\ufeff',
    '\u2800',
    '\u00ad',
    '\u{e0001}',
    '\u202e',
  ]
  for (const blank of blanks) {
    assert.deepEqual(text({ min: 1, max: 5 }).read(blank), fault('blank', { wants: 'visible-character' }))
    assert.ok('fault' in name.read(blank), JSON.stringify(blank))
  }
  for (const seen of ['x', '\u200bx', '👩‍🚒', '.', '\u0301', '\ue000']) {
    assert.ok('value' in text({ min: 1, max: 5 }).read(seen), JSON.stringify(seen))
  }
})

test('a text that is too short for its kind is told so', () => {
  assert.deepEqual(text({ min: 3, max: 5 }).read('ab'), fault('too-short', { min: 3 }))
})

test('tab, line feed and carriage return are the only control characters', () => {
  assert.equal(textFault('a\tb\nc\rd'), undefined)
  const controls = [...codes(0x00, 0x1f), ...codes(0x7f, 0x9f)].filter((code) => ![0x09, 0x0a, 0x0d].includes(code))
  for (const code of controls) {
    const hex = code.toString(16).toUpperCase().padStart(4, '0')
    assert.deepEqual(textFault(`a${String.fromCharCode(code)}b`), control(`U+${hex}`))
  }
})

test('a control character is refused even where trimming would remove it', () => {
  assert.ok('fault' in name.read('\u000babc'))
  assert.ok('fault' in name.read('abc\u000c'))
  assert.ok('fault' in name.read('abc\u0085'))
})

test('the characters next to the refused ones are carried', () => {
  assert.equal(textFault('\u0020\u007e\u00a0\ud7ff\ue000\ufffd\u{10000}\u{10ffff}'), undefined)
})

test('U+FFFE and U+FFFF, which XML cannot carry, are refused', () => {
  assert.deepEqual(textFault('\ufffe'), control('U+FFFE'))
  assert.deepEqual(textFault('\uffff'), control('U+FFFF'))
})

test('a lone surrogate is refused, a pair is a character', () => {
  assert.deepEqual(textFault('a\ud83d'), loneSurrogate)
  assert.deepEqual(textFault('\ude00a'), loneSurrogate)
  assert.deepEqual(textFault('\ude00\ud83d'), loneSurrogate)
  assert.equal(textFault('\ud83d\ude00'), undefined)
})

test('what is no string is no text', () => {
  for (const raw of [1, true, null, undefined, ['a'], { a: 'a' }]) {
    assert.deepEqual(name.read(raw), fault('type', { wants: 'string' }))
  }
})

test('a choice is one of its words exactly', () => {
  const stage = choice(['lead', 'contract'])
  assert.deepEqual(stage.read('lead'), { value: 'lead' })
  for (const raw of ['Lead', ' lead', '', 'constructor', '__proto__', 0, null]) {
    assert.deepEqual(stage.read(raw), fault('not-one-of', { values: ['lead', 'contract'] }))
  }
})

function codes(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

const control = (character: string) => reason('forbidden-characters', { wants: 'no-control', character })
const loneSurrogate = reason('forbidden-characters', { wants: 'no-lone-surrogate' })
