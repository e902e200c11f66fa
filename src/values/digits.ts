import { fold } from './fold.ts'

/** The fewest digits by which a phone number is found whatever its separators. */
const FEWEST = 5

/** The digits of a text, without what separates them. */
export const digitsIn = (text: string): string => fold(text).replaceAll(/[^0-9]/g, '')

/** The digits of a phone number, if a search for them would not find the text itself; undefined otherwise. */
export function dialledDigits(phone: string): string | undefined {
  const digits = digitsIn(phone)
  return digits.length >= FEWEST && !fold(phone).includes(digits) ? digits : undefined
}

/** The digits of a word that can be a part of a phone number; undefined if it cannot. */
export function digitsSought(word: string): string | undefined {
  const digits = digitsIn(word)
  return digits.length >= FEWEST && /^[0-9()+./\-\u2010-\u2015]+$/.test(word) ? digits : undefined
}

/** The name of the digits of a field, where folded texts are stored. */
export const digitsName = (field: string): string => `${field}Digits`
