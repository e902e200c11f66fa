import { codeName, dateText, decimalText, instantText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import { joined, type Text, type Words } from '../../languages/text.ts'
import { ME } from '../../model/nouns/user/user.ts'
import type { CollectionField } from '../../queries/collection.ts'
import {
  type Condition,
  type Filter,
  isTerm,
  type Operator,
  type Term,
  type Tree,
  type Value,
} from '../../queries/query.ts'
import { choiceTitle, titleText } from '../../representations/html/field-title.ts'
import { label } from '../../representations/html/label.ts'
import { asText } from '../../values/json/exact-numbers.ts'
import { isCountry } from '../../values/kinds/codes.ts'
import { isNumeric, type Kind } from '../../values/kinds/kind.ts'
import { capitalized } from '../../values/kinds/text.ts'
import type { Names } from '../parts/names.ts'
import { personName } from '../parts/person.ts'
import { isWord } from '../parts/value-text.ts'

/** A condition in words, in whichever dialect it was written: "Age at least 18", "Customer's country is Germany". */
export function filterWords(condition: Condition, names?: Names): Text {
  const words = conditionWords(condition, false, names)
  return (reader) => capitalized(words(reader))
}

const conditionWords = (condition: Condition, isOneOfSeveral: boolean, names?: Names): Text =>
  isTerm(condition) ? termWords(condition, names) : treeWords(condition, isOneOfSeveral, names)

function treeWords({ any, negated, word }: Tree, isOneOfSeveral: boolean, names?: Names): Text {
  if (word !== undefined && !negated) return say('has “{word}”', { word })
  const alternatives = any.map((filter) => allWords(filter, any.length > 1, names))
  const words = alternatives.length === 0 ? say('nothing') : folded(alternatives, orWords)
  if (negated) return say('not ({words})', { words })
  return isOneOfSeveral && any.length > 1 ? bracketed(words) : words
}

function allWords(filter: Filter, isOneOfSeveral: boolean, names?: Names): Text {
  if (filter.length === 0) return say('anything')
  const words = folded(
    filter.map((each) => conditionWords(each, filter.length > 1, names)),
    andWords,
  )
  return isOneOfSeveral && filter.length > 1 ? bracketed(words) : words
}

const orWords = (one: Words, other: Words): Text => say('{one} or {other}', { one, other })
const andWords = (one: Words, other: Words): Text => say('{one} and {other}', { one, other })

/** Joined one by one once they are strings: there may be a thousand. */
const folded =
  (words: readonly Text[], join: (one: Words, other: Words) => Text): Text =>
  (reader) => {
    const [first = '', ...others] = words.map((each) => each(reader))
    return others.reduce((one, other) => join(one, other)(reader), first)
  }

const bracketed = (words: Text): Text => joined(['(', words, ')'], '')

function termWords({ field, operator, values }: Term, names?: Names): Text {
  const name = fieldWords(field)
  const [value] = values
  if (field.kind.name === 'boolean' && values.length === 1 && (operator === 'eq' || operator === 'ne')) {
    return value === (operator === 'eq') ? name : say('not {field}', { field: name })
  }
  if (operator === 'like') return likeWords(name, values.map(String))
  if (operator === 'null' || operator === 'unknown') {
    const wordsOf = operator === 'null' ? emptyWords : unknownWords
    return folded(
      values.map((isSo) => wordsOf(name, isSo === true)),
      orWords,
    )
  }
  const shown = listWords(values.map((each) => valueWords(field, operator, each, names)))
  return comparisons[isNumeric(field.kind) ? 'amounts' : 'places'][operator](name, shown)
}

const emptyWords = (field: Text, isEmpty: boolean): Text =>
  isEmpty ? say('{field} is empty', { field }) : say('{field} is not empty', { field })

const unknownWords = (field: Text, isUnknown: boolean): Text =>
  isUnknown ? say('{field} is not a user', { field }) : say('{field} is a user or empty', { field })

/** A member of a related thing is shown with that thing. */
function fieldWords({ name, through, kind: { titled } }: CollectionField): Text {
  if (through === undefined) return titled ? titleText(titled) : inSentence(say(label(name)))
  const own = through.field.name
  const thing = inSentence(say(label(name.slice(0, -own.length - 1))))
  return say("{thing}'s {field}", { thing, field: inSentence(say(label(own))) })
}

/** German writes nouns with a capital everywhere. */
const inSentence =
  (text: Text): Text =>
  (reader) => {
    const word = text(reader)
    return keepCapitals(reader) === 'no' ? word.charAt(0).toLowerCase() + word.slice(1) : word
  }

const keepCapitals = say('no|whether nouns keep their capital within a sentence')

type Comparing = Readonly<Record<Exclude<Operator, 'like' | 'null' | 'unknown'>, (field: Text, value: Words) => Text>>

const equal = {
  eq: (field: Text, value: Words) => say('{field} is {value}', { field, value }),
  ne: (field: Text, value: Words) => say('{field} is not {value}', { field, value }),
  regex: (field: Text, value: Words) => say('{field} matches {value}', { field, value }),
}

/** Numbers are more or less, everything else comes before or after. */
const comparisons: { readonly amounts: Comparing; readonly places: Comparing } = {
  amounts: {
    ...equal,
    gt: (field, value) => say('{field} more than {value}', { field, value }),
    gte: (field, value) => say('{field} at least {value}', { field, value }),
    lt: (field, value) => say('{field} less than {value}', { field, value }),
    lte: (field, value) => say('{field} at most {value}', { field, value }),
  },
  places: {
    ...equal,
    gt: (field, value) => say('{field} after {value}', { field, value }),
    gte: (field, value) => say('{field} from {value}', { field, value }),
    lt: (field, value) => say('{field} before {value}', { field, value }),
    lte: (field, value) => say('{field} until {value}', { field, value }),
  },
}

function valueWords(field: CollectionField, operator: Operator, value: Value, names?: Names): Words {
  if (value === '') return say('empty')
  const { kind } = field
  if (operator === 'regex') return String(value)
  if (kind.name === 'boolean') return value === true ? say('yes') : say('no')
  const text = asText(kind.write(value))
  if (kind.namesUser && text === ME) return say('me')
  if (kind.namesUser) return personName(text)
  const named = thingNamed(kind, text, names)
  if (named !== undefined) return named
  if (kind.name === 'date') return dateText(text)
  if (kind.name === 'instant') return instantText(text)
  // Numbers of things, such as `id`, are names too, so only amounts are grouped.
  if (kind.name === 'amount') return decimalText(text, 0)
  if (isCountry(kind)) return codeName('region', text)
  return choiceTitle(kind, text) ?? (isWord(kind, text) ? say(label(text)) : text)
}

/** The name of the thing that a value refers to, if it is known. */
export function thingNamed({ refersTo = '' }: Kind<unknown>, text: string, names?: Names): string | undefined {
  const known = names?.get(refersTo)
  return known?.get(text) ?? known?.get(Number(text))
}

/** A pattern with wildcards at its ends describes where a text occurs. */
function likeWords(field: Text, patterns: readonly string[]): Text {
  const read = patterns.map(readPattern)
  const [first] = read
  const isAlike = read.every(({ how }) => how === first?.how)
  if (first !== undefined && isAlike) return first.how(field, listWords(read.map(({ value }) => value)))
  return folded(
    read.map(({ how, value }) => how(field, value)),
    orWords,
  )
}

interface ReadPattern {
  readonly how: (field: Text, value: Words) => Text
  readonly value: string
}

function readPattern(pattern: string): ReadPattern {
  const [, before, text, behind] = /^(%?)((?:[^\\%_]|\\.)*)(%?)$/su.exec(pattern) ?? []
  if (text === undefined) return { how: like, value: pattern }
  const value = text.replaceAll(/\\(.)/gsu, '$1')
  return { how: before ? (behind ? contains : endsWith) : behind ? startsWith : like, value }
}

const like: ReadPattern['how'] = (field, value) => say('{field} is like {value}', { field, value })
const contains: ReadPattern['how'] = (field, value) => say('{field} contains {value}', { field, value })
const startsWith: ReadPattern['how'] = (field, value) => say('{field} starts with {value}', { field, value })
const endsWith: ReadPattern['how'] = (field, value) => say('{field} ends with {value}', { field, value })

const MOST_LISTED = 5

function listWords(words: readonly Words[]): Words {
  const count = words.length - MOST_LISTED
  const listed = count > 1 ? [...words.slice(0, MOST_LISTED), say('{count} others', { count })] : words
  const [last = '', ...others] = listed.toReversed()
  return others.length === 0 ? last : orWords(joined(others.toReversed(), ', '), last)
}
