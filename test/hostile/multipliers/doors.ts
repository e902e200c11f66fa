import { answerBounds } from '../../../src/values/bounds.ts'
import { get, type Multiplier, times } from './multiplier.ts'

// What is shown in a row or entity of a door, with options of its own.

const { nested, related } = answerBounds
const rows = (name: string, bound: number, far: number, of: (n: number) => string): Multiplier => ({
  name: `PostgREST: ${name}`,
  bound,
  far,
  of: (count) => get(`/postgrest/customers?${of(count)}`),
})
const entities = (name: string, bound: number, far: number, of: (n: number) => string): Multiplier => ({
  name: `OData: ${name}`,
  bound,
  far,
  of: (count) => get(`/odata/Customers?$expand=${of(count).replaceAll(' ', '%20')}`),
})

const embedded = (n: number, hint = ''): string =>
  `${times(n, (at) => (at % 2 === 0 ? `deals${hint}(` : `customer${hint}(`))}id${')'.repeat(n)}`

export const doors: readonly Multiplier[] = [
  rows('embeds within embeds', nested, 1500, (n) => `select=${embedded(n)}`),
  rows('!inner within !inner', nested, 1000, (n) => `select=${embedded(n, '!inner')}`),
  rows('embeds beside each other', 3, 1500, (n) => `select=${times(n, (at) => `a${at}:deals(id)`, ',')}`),
  rows('hints of an embed', 1, 2500, (n) => `select=deals${'!inner'.repeat(n)}(id)`),
  rows('filters of an embed', 20, 900, (n) => `select=deals(id)&${times(n, (at) => `deals.price=gt.${at}`, '&')}`),
  rows(
    'a filter below embeds',
    nested,
    1200,
    (n) => `select=${embedded(nested)}&${'deals.customer.'.repeat(n)}id=eq.1`,
  ),
  rows('rows of an embed', related, 1e12, (n) => `select=deals(id)&deals.order=price&deals.limit=${n}`),
  rows('rows that an embed leaves out', 1000, 1e12, (n) => `select=deals(id)&deals.order=price&deals.offset=${n}`),
  rows('columns as text', 20, 1500, (n) => `select=${times(n, (at) => `a${at}:name::text`, ',')}`),
  entities(
    'expansions within expansions',
    nested,
    700,
    (n) => `${times(n, (at) => (at % 2 === 0 ? 'deals' : 'customer'), '($expand=')}${')'.repeat(Math.max(0, n - 1))}`,
  ),
  entities('expansions beside each other', 3, 2000, (n) => times(n, 'deals', ',')),
  entities('filters of an expansion', 50, 700, (n) => `deals($filter=${times(n, (at) => `price gt ${at}`, ' or ')})`),
  entities('parentheses of an expansion', 20, 7000, (n) => `deals($filter=${'('.repeat(n)}price gt 1${')'.repeat(n)})`),
  entities('options of an expansion', 6, 1500, (n) => `deals(${times(n, '$top=1', ';')})`),
  entities('entities of an expansion', related, 1e12, (n) => `deals($orderby=price;$top=${n})`),
  entities('a text in an expansion', 100, 6000, (n) => `deals($filter=name eq '${"''".repeat(n)}')`),
]
