import type { AddedField } from '../../../src/model/source/added-field.ts'
import type { AddedKind } from '../../../src/model/source/added-kinds.ts'

/** A value of an added field, as the surfaces show it. */
export interface OwnSample {
  readonly options?: AddedField['options']
  /** As it is sent. */
  readonly value: unknown
  /** As JSON shows it, if that differs. */
  readonly shown?: unknown
  /** As a filter names it. */
  readonly text: string
  /** As an English page shows it. */
  readonly page: string
  /** A word that a search finds it by; absent if its kind cannot be searched. */
  readonly word?: string
  /** Another value, which a change sets. */
  readonly next: unknown
}

const choices = (...values: readonly string[]) => ({
  values: values.map((value) => ({ value, title: `The ${value}` })),
})

/** The customer that the values of links name is the first one, and has the name Eve. */
export const ownSamples: { readonly [K in AddedKind]: OwnSample } = {
  text: { value: 'Grüße, "own":{', text: 'Grüße, "own":{', page: 'Grüße, "own":{', word: 'GRUSSE', next: 'Later' },
  choice: { options: choices("it's?", 'b', 'a'), value: "it's?", text: "it's?", page: "The it's?", next: 'a' },
  choices: {
    ...{ options: choices('x', 'y"', 'wide'), value: ['wide', 'x'], shown: ['x', 'wide'], text: 'wide' },
    ...{ page: 'The x, The wide', word: 'wide', next: ['y"'] },
  },
  integer: { value: -5, text: '-5', page: '-5', next: 6 },
  number: { value: -1.000005, text: '-1.000005', page: '-1.000005', next: 0.5 },
  amount: { value: 12.5, text: '12.5', page: '12.50 EUR', next: 7 },
  boolean: { value: false, text: 'false', page: 'no', next: true },
  date: { value: '2027-01-31', text: '2027-01-31', page: '31 Jan 2027', next: '2028-02-29' },
  instant: {
    ...{ value: '2027-01-31T10:00:00Z', shown: '2027-01-31T10:00:00.000Z', text: '2027-01-31T11:00:00+01:00' },
    ...{ page: '31 Jan 2027, 10:00 UTC', next: '2028-01-01T00:00:00.500Z' },
  },
  user: { value: 'editor', text: 'editor', page: 'editor', next: 'reader' },
  link: { options: { to: 'customer' }, value: 1, text: '1', page: 'Eve', next: 2 },
  url: {
    ...{ value: 'https://site.example/a?b=c', text: 'https://site.example/a?b=c', page: 'https://site.example/a?b=c' },
    ...{ word: 'site.example', next: 'http://other.example' },
  },
  email: {
    value: 'ana@mail.example',
    text: 'ana@mail.example',
    page: 'ana@mail.example',
    word: 'ana@',
    next: 'b@c.de',
  },
  phone: {
    ...{ value: '+49 (0) 170-1234567', text: '+49 (0) 170-1234567', page: '+49 (0) 170-1234567' },
    ...{ word: '1701234567', next: '030 1' },
  },
}

export const shownOf = (kind: AddedKind): unknown => ownSamples[kind].shown ?? ownSamples[kind].value
