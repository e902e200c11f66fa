import { near, type Reason, reason } from '../../../values/faults/fault.ts'
import { nearest } from '../../../values/faults/nearest.ts'
import { caseless } from '../../../values/fold.ts'
import { ME, type User } from './user.ts'

// A field for a person names a user. decisions/0067

/** A user, as far as others find them. */
export type Person = Pick<User, 'name' | 'fullName' | 'email' | 'disabled'>

/** How texts for persons are read, beyond the names of users. */
export interface PersonReading {
  /** Full names and e-mail addresses count too, as people type them and files have them. */
  readonly byWords?: true
  /** Texts that are taken as they are: of somebody who comes later, or put back by an undo. */
  readonly unchecked?: readonly string[]
}

/** The same with the name of the caller, who is `me`. */
export interface CallersReading extends PersonReading {
  readonly self?: string | undefined
}

export type FoundPerson = { readonly name: string } | { readonly fault: Reason }

/** The person whom a field of a kind gets, which has another value now. */
export function personFor(
  { mustExist = false }: { readonly mustExist?: boolean },
  text: string,
  people: readonly Person[],
  { self, unchecked = [], ...reading }: CallersReading,
  current: unknown = null,
): FoundPerson {
  // Without users anybody is somebody; an added field needs users.
  if ((people.length === 0 && !mustExist) || unchecked.includes(text)) return { name: text }
  if (reading.byWords && isStill(current, text, people)) return { name: current }
  if (!isMe(text)) return personNamed(people, text, reading)
  const [user] = self === undefined ? [] : peopleNamed(people, self)
  return user === undefined ? { fault: reason('no-caller', { name: ME }) } : { name: user.name }
}

/** Pages and files show full names: that of the present person stays, also of a disabled one or of one of several. */
const isStill = (current: unknown, text: string, people: readonly Person[]): current is string =>
  typeof current === 'string' && peopleCalled(people, text).some(({ name }) => name === current)

/** The user whom a text names; the name is the user's own spelling. */
export function personNamed(
  people: readonly Person[],
  text: string,
  { byWords }: Pick<PersonReading, 'byWords'> = {},
): FoundPerson {
  const named = peopleNamed(people, text)
  const meant = named.length === 0 && byWords ? peopleCalled(people, text) : named
  const [user, ...others] = meant.filter(({ disabled }) => !disabled)
  if (user === undefined) return { fault: unknownPerson(people, text) }
  if (others.length === 0) return { name: user.name }
  const ids = [user, ...others].slice(0, MOST_TOLD).map(({ name }) => name)
  return { fault: reason('several-found', { on: 'user', name: text, ids }) }
}

/** By name: the one who is spelt exactly so, or those who are in another case. */
export function peopleNamed<P extends Pick<Person, 'name'>>(people: readonly P[], text: string): readonly P[] {
  const exact = people.filter(({ name }) => name === text)
  if (exact.length > 0) return exact
  const sought = caseless(text.trim())
  return people.filter(({ name }) => caseless(name) === sought)
}

/** By full name or e-mail address, whatever the case: `Mila Sanz`, `Sanz, Mila`, `Mila Sanz (mila@example.com)`. */
export function peopleCalled(people: readonly Person[], text: string): readonly Person[] {
  const [, outside = text, address] = withAddress.exec(text) ?? []
  if (address !== undefined) {
    const addressed = people.filter(({ email, name }) => isSame(email, address) || isSame(name, address))
    if (addressed.length > 0) return addressed
    if (!address.includes('@')) return []
  }
  const [, last, first] = lastFirst.exec(outside) ?? []
  const spellings = [outside, ...(last === undefined ? [] : [`${first} ${last}`])]
  return people.filter(
    ({ fullName, email, name }) =>
      spellings.some((each) => isSame(fullName, each)) || isSame(email, outside) || isSame(name, outside),
  )
}

const withAddress = /^([^()<>]*[^()<>\s])\s*[(<]\s*([^()<>]+?)\s*[)>]$/
const lastFirst = /^([^,]*[^,\s])\s*,\s*([^,]*[^,\s])$/

const isSame = (known: string | null, text: string): boolean => known !== null && plain(known) === plain(text)

const plain = (text: string): string => caseless(text.normalize('NFC').trim().replaceAll(/\s+/g, ' '))

const MOST_TOLD = 20

/** With the one who was probably meant: the full name or address is theirs, or the name is nearly so. */
export function unknownPerson(people: readonly Person[], text: string): Reason {
  const enabled = people.filter(({ disabled }) => !disabled)
  const [called] = peopleCalled(enabled, text)
  const spellings = new Map(
    enabled.flatMap(({ name, fullName }) => [
      [fullName ?? name, name],
      [name, name],
    ]),
  )
  const meant = called?.name ?? spellings.get(nearest(text, spellings.keys()) ?? '')
  return reason('not-found', { on: 'user', id: text, ...near(meant) })
}

/** Whether a text means the caller. */
export const isMe = (text: string): boolean => text.trim().toLowerCase() === ME
