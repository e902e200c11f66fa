import { fault } from '../../../values/faults/fault.ts'
import type { Kind, Read } from '../../../values/kinds/kind.ts'
import { text } from '../../../values/kinds/text.ts'
import { optional, required } from '../../../values/members.ts'
import { isFrequent } from './frequent-passwords.ts'

const limits = { min: 12, max: 200 }
const password = text(limits)

/** A new password; earlier ones are only checked by their hash. */
export const newPassword: Kind<string> = { ...password, read: readNew, readText: readNew }

function readNew(raw: unknown): Read<string> {
  if (typeof raw === 'string' && [...raw].length < limits.min) {
    return fault('too-short', { min: limits.min })
  }
  const read = password.read(raw)
  if ('fault' in read || !isCommon(read.value)) return read
  return fault('common-password')
}

/** The members of a new password; users also give their old one. */
export const passwordMembers = { password: required(newPassword), old: optional(text({ min: 1, max: 1024 })) }

/** The caller's password, which proves that they are still the person who signed in. */
export const proofMembers = { password: optional(text({ min: 1, max: 1024 })) }

const FEWEST_DIFFERENT = 5

/** Whether it is an obvious guess: a common word, with any digits and marks. */
function isCommon(value: string): boolean {
  const lower = value.toLowerCase()
  if (new Set(lower).size < FEWEST_DIFFERENT || isFrequent(lower)) return true
  // Digits and marks around a word do not disguise it.
  const bare = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return [lower, unmasked(lower), unmasked(bare)].some((each) => isCommonWord(each.replace(/[^\p{L}]/gu, '')))
}

const unmasked = (text: string): string => text.replace(/[01345$7@!]/g, (mark) => masks[mark] ?? mark)

const masks: { readonly [mark: string]: string } = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  $: 's',
  '@': 'a',
  '!': 'i',
}

/** Only digits and marks, a common word, or a repeated one. */
function isCommonWord(letters: string): boolean {
  if (letters.length < 3) return true
  return [letters, repeated(letters)].some((each) => words.has(each) || isFrequent(each))
}

/** The shortest part whose repetition is the text. */
const repeated = (text: string): string => text.slice(0, (text + text).indexOf(text, 1))

const words: ReadonlySet<string> = new Set(
  `abc abcd abcde abcdef abcdefgh abcdefghijkl access account admin administrator adminadmin amazon andrea angel apple
  asdf asdfgh asdfghjk asdfghjkl azerty bailey banana baseball basketball batman beautiful blink buster butterfly
  changeit changeme charlie cheese chelsea chocolate company computer cookie crm daniel deal dealdesk deals default demo
  dragon eagle email facebook family flower football forever freedom friends george ginger google guest hallo hannah
  hello helloworld hockey hunter iloveu iloveyou internet jennifer jessica jordan killer letmein liverpool login london
  love lovely loveyou manager master matrix michael monday monkey mustang nicole ninja nothing office oracle orange pass
  passw passwd passwort password passwordpassword pepper pokemon postgres princess purple qazwsx qazwsxedc qwer qwert
  qwerty qwertyu qwertyui qwertyuiop qwertz qwertzuiop qweasd qweasdzxc root samsung sales salesforce secret security
  server service shadow silver soccer spring starwars summer sunday sunshine superman support system team temp temporary
  test testing testtest thomas tigger trustno user username welcome whatever windows winter wizard work xxxxxx yellow
  zaq zaqwsx zxcvbn zxcvbnm`
    .split(/\s+/)
    .filter((word) => word !== ''),
)
