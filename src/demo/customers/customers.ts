import type { Params } from '../../model/declaration/operation.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { Customer } from '../../model/nouns/customer/customer.ts'
import { perform } from '../perform.ts'
import { pick, type Random, randomFrom } from '../random.ts'
import { DAY, MINUTE } from '../time.ts'
import { companyOf, phoneIn } from './companies.ts'
import { type People, peoples } from './peoples.ts'

const CUSTOMERS = 1000
/** Customers created before the first deal. */
export const EARLY_CUSTOMERS = 560

/** Customers 1 to 1000, created over the two years before a day; some were changed later. */
export function demoCustomers(resource: Resource, random: Random, today: number): readonly Customer[] {
  const emails = new Set<string>()
  const further = randomFrom(OWN_SEED)
  const between = Math.floor((700 * DAY) / CUSTOMERS)
  return Array.from({ length: CUSTOMERS }, (_, index) => {
    const at = today - 710 * DAY + index * between + random(between - MINUTE)
    const params = { ...person(random, emails), own: ownOf(index, further) }
    const made = decided(resource, 'create', params, undefined, index + 1, at)
    return random(8) === 0 ? changed(resource, made, at + (1 + random(9)) * DAY + random(DAY), random) : made
  })
}

const OWN_SEED = 7

/** The values of added fields; companies of another program have a number there. */
const ownOf = (index: number, random: Random): Params => ({
  segment: random(6) === 0 ? null : pick(['small', 'small', 'small', 'medium', 'medium', 'large'], random),
  accountNumber: random(3) === 0 ? null : `A-${10_000 + index * 7}`,
  newsletter: random(5) === 0 ? null : random(2) === 0,
})

function decided(
  resource: Resource,
  operation: string,
  params: Params,
  before: Customer | undefined,
  id: number,
  at: number,
): Customer {
  const asked = { resource, id, before, operation, params, at, actor: null, form: 'resource' }
  return perform(asked).thing as Customer
}

function changed(resource: Resource, customer: Customer, at: number, random: Random): Customer {
  const params = random(2) === 0 ? { children: (customer.children ?? 0) + 1 } : { age: (customer.age ?? 30) + 1 }
  return decided(resource, 'change', params, customer, customer.id, at)
}

function person(random: Random, emails: Set<string>) {
  const people = peopleAt(random(100))
  const given = random(people.given.length)
  const family = random(people.family.length)
  const names = [people.given[given] ?? '', people.family[family] ?? '']
  const age = ageOf(random)
  const country = random(30) === 0 ? null : pick(people.countries, random)
  const latin = latinNames(people, given, family)
  return {
    name: (people.familyFirst ? names.toReversed() : names).join(' '),
    email: random(20) === 0 ? null : emailOf(latin, random, emails),
    age: random(25) === 0 ? null : age,
    children: random(20) === 0 ? null : childrenAt(age, random),
    country,
    company: random(4) === 0 ? null : companyOf(latin.at(-1) ?? '', country, random),
    phone: random(5) === 0 ? null : phoneIn(country, random),
  }
}

function peopleAt(place: number): People {
  let passed = 0
  for (const people of peoples) {
    passed += people.share
    if (place < passed) return people
  }
  throw new Error('the shares of the peoples are less than a hundred')
}

const latinNames = ({ given, family, latin }: People, g: number, f: number): readonly string[] =>
  latin === undefined ? [given[g] ?? '', family[f] ?? ''] : [latin.given[g] ?? '', latin.family[f] ?? '']

const domains = ['example.com', 'example.com', 'example.org', 'mail.example.com', 'family.example.org', 'example.net']

function emailOf(names: readonly string[], random: Random, taken: Set<string>): string {
  const local = names.map(asciiOf).join('.')
  const domain = pick(domains, random)
  let email = `${local}@${domain}`
  for (let n = 2; taken.has(email); n++) email = `${local}${n}@${domain}`
  taken.add(email)
  return email
}

const letters: { readonly [letter: string]: string } = { ł: 'l', ø: 'o', ß: 'ss', þ: 'th', ð: 'd', ı: 'i', æ: 'ae' }

function asciiOf(name: string): string {
  const plain = name.toLowerCase().normalize('NFD')
  return plain.replaceAll(/[^a-z0-9-]/g, (letter) => letters[letter] ?? '')
}

/** Adults, most of them middle-aged. */
const ageOf = (random: Random): number => 18 + Math.floor((random(38) + random(38)) * 0.98)

function childrenAt(age: number, random: Random): number {
  if (age < 23) return random(12) === 0 ? 1 : 0
  if (age < 30) return Math.max(0, random(5) - 2)
  return Math.max(0, random(3) + random(3) + (random(12) === 0 ? 2 : 0) - (random(3) === 0 ? 2 : 0))
}
