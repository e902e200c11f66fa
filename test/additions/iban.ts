import type { AddedKindDeclaration } from '../../src/model/source/added-kinds.ts'
import { fault } from '../../src/values/faults/fault.ts'
import type { Kind, Read } from '../../src/values/kinds/kind.ts'
import { nameText } from '../../src/values/kinds/text.ts'

const written = nameText({ min: 15, max: 34 })
const wrong = fault('malformed', { wants: 'email' })

/** ISO 13616: the number that the letters stand for leaves 1 when it is divided by 97. */
function isChecked(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]+$/.test(iban)) return false
  const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((letter) => Number.parseInt(letter, 36)).join('')
  return BigInt(digits) % 97n === 1n
}

const checked = (read: Read<string>): Read<string> => ('value' in read && !isChecked(read.value) ? wrong : read)

const numbers: Kind<string> = {
  ...written,
  read: (raw) => checked(written.read(raw)),
  readText: (text) => checked(written.readText(text)),
}

/** A kind of added field: the number of an account. */
export const iban = {
  name: 'iban',
  valuesOf: () => numbers,
  unique: true,
  searched: true,
  indexed: true,
} as const satisfies AddedKindDeclaration
