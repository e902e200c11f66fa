import { answerBounds, queryBounds, requestBounds } from '../../../src/values/bounds.ts'
import { FORM, get, type Hostile, type Multiplier, times } from './multiplier.ts'

// Filters, searches and settings of lists, in addresses and in the contents of QUERY.

const { terms, depth, values, search, words, pattern, groups, parts } = queryBounds
const query = (content: string): Hostile => ({
  method: 'QUERY',
  path: '/rest/v1/deals',
  content,
  headers: { 'content-type': FORM },
})
const deals = (parameters: string): Hostile => get(`/rest/v1/deals?${parameters}`)
const escaped = encodeURIComponent

const expression = (name: string, of: (n: number) => string, bound: number, far: number): Multiplier => ({
  name,
  bound,
  far,
  of: (count) => query(of(count)),
})

export const queries: readonly Multiplier[] = [
  { name: 'an address', bound: requestBounds.address - 20, far: 15_000, of: (n) => deals(`x=${'x'.repeat(n)}`) },
  { name: 'segments of an address', bound: 8, far: 7000, of: (n) => get(`/rest/v1${'/a'.repeat(n)}`) },
  { name: 'escaped segments', bound: 8, far: 2600, of: (n) => get(`/odata/Deals${'/%2f'.repeat(n)}`) },
  { name: 'filters of one field', bound: terms, far: 1200, of: (n) => deals(times(n, (at) => `name=${at}`, '&')) },
  { name: 'filters of a form', bound: terms, far: 120_000, of: (n) => query(times(n, (at) => `name=${at}`, '&')) },
  { name: 'parameters', bound: parts, far: 330_000, of: (n) => query(times(n, 'a=', '&')) },
  { name: 'ampersands', bound: parts, far: 1_000_000, of: (n) => query('&'.repeat(n)) },
  { name: 'broken escapes', bound: 100, far: 500_000, of: (n) => query(`name=${'%f'.repeat(n)}`) },
  expression('values of a list', (n) => `price.in=${times(n, (at) => String(at), ',')}`, values, 140_000),
  expression(
    'values of many lists',
    (n) => times(terms, () => `price.in=${times(n, (at) => String(at), ',')}`, '&'),
    values / terms,
    3000,
  ),
  expression('long values of a list', (n) => `name.in=${times(n, (at) => `${at}${'x'.repeat(190)}`, ',')}`, 50, 5000),
  expression(
    'parentheses of a logic tree',
    (n) => `or=${'(and'.repeat(n)}(price.eq.1,price.eq.2)${')'.repeat(n)}`,
    depth,
    190_000,
  ),
  expression('terms of a logic tree', (n) => `or=(${times(n, (at) => `price.eq.${at}`, ',')})`, terms, 9000),
  expression('parentheses of $filter', (n) => `$filter=${'('.repeat(n)}price eq 1${')'.repeat(n)}`, depth, 400_000),
  expression('nots of $filter', (n) => `$filter=${'not '.repeat(n)}(price eq 1)`, depth, 240_000),
  expression('terms of $filter', (n) => `$filter=${times(n, (at) => `price eq ${at}`, ' or ')}`, terms, 60_000),
  expression('a literal of $filter', (n) => `$filter=name eq '${"''".repeat(n)}'`, queryBounds.literal, 490_000),
  expression('digits of $filter', (n) => `$filter=price eq ${'9'.repeat(n)}`, 17, 990_000),
  expression(
    'functions of $filter',
    (n) => `$filter=${'tolower('.repeat(n)}name${')'.repeat(n)} eq 'a'`,
    depth,
    100_000,
  ),
  expression(
    'a literal in $filter of a list',
    (n) => `$filter=price in (${times(n, (at) => String(at), ',')})`,
    values,
    140_000,
  ),
  expression('wildcards', (n) => `name=ilike.${escaped('*a_'.repeat(n))}`, Math.floor(search / 3), 100_000),
  expression(
    'a regular expression',
    (n) => `name.regex=${escaped('(a|b)*'.repeat(n))}`,
    Math.floor(pattern / 6),
    60_000,
  ),
  expression(
    'counts of a regular expression',
    (n) => `description.regex=${escaped(`(${'(a{9})'.repeat(n)}){99}`)}`,
    6,
    100,
  ),
  expression('groups of a regular expression', (n) => `name.regex=${'('.repeat(n)}a${')'.repeat(n)}`, 90, 400_000),
  expression('classes of a regular expression', (n) => `name.regex=${escaped('\\p{L}'.repeat(n))}`, 40, 100),
  expression('words of a search', (n) => `q=${times(n, (at) => `w${at}`, '+')}`, words, 100_000),
  expression('a search', (n) => `q=${'ab'.repeat(n)}`, search / 2, 490_000),
  expression('a search that grows', (n) => `q=${escaped('ﷺ'.repeat(n))}`, search, 100_000),
  expression('a search of marks', (n) => `q=a${escaped('\u0301'.repeat(n))}`, search, 150_000),
  expression('fields of a sort', (n) => `sort=${times(n, (at) => (at % 2 ? 'name' : '-price'), ',')}`, 5, 150_000),
  expression('fields', (n) => `fields=${times(n, 'name', ',')}`, 30, 200_000),
  expression('unknown fields', (n) => `fields=${times(n, (at) => `nam${at}`, ',')}`, 30, 9000),
  expression('a long unknown field', (n) => `fields=${'name'.repeat(n)}`, 30, 240_000),
  expression('relations', (n) => `expand=${times(n, 'customer', ',')}`, 2, 110_000),
  expression(
    'groups',
    (n) => `group-by=${times(n, (at) => ['owner', 'stage', 'currency'][at % 3] ?? '', ',')}`,
    groups,
    9000,
  ),
  expression('measures', (n) => `group-by=owner&measures=${times(n, 'sum(price)', ',')}`, groups, 9000),
  {
    name: 'a cursor',
    bound: 100,
    far: 11_000,
    of: (n) => deals(`after=${Buffer.from(`["${'x'.repeat(n)}"]`).toString('base64url')}`),
  },
  {
    name: 'lists in a cursor',
    bound: 10,
    far: 5000,
    of: (n) => deals(`after=${Buffer.from('['.repeat(n) + ']'.repeat(n)).toString('base64url')}`),
  },
  { name: 'a page', bound: answerBounds.page, far: 1e15, of: (n) => deals(`limit=${n}&page=${n}`) },
  {
    name: 'a page with related things',
    bound: answerBounds.page,
    far: 99_999,
    of: (n) => get(`/customers?limit=${n}&expand=deals`),
  },
  { name: 'digits of an offset', bound: 15, far: 7000, of: (n) => deals(`offset=${'9'.repeat(n)}`) },
  {
    name: 'select of PostgREST',
    bound: 30,
    far: 3000,
    of: (n) => get(`/postgrest/deals?select=${times(n, 'name', ',')}`),
  },
  {
    name: 'embeddings of PostgREST',
    bound: 2,
    far: 1200,
    of: (n) => get(`/postgrest/deals?select=id${times(n, ',customer(id)')}`),
  },
  {
    name: 'embeddings in embeddings',
    bound: 2,
    far: 900,
    of: (n) => get(`/postgrest/deals?select=${'customer('.repeat(n)}id${')'.repeat(n)}`),
  },
  {
    name: 'filters of PostgREST',
    bound: terms,
    far: 900,
    of: (n) => get(`/postgrest/deals?${times(n, (at) => `price=gt.${at}`, '&')}`),
  },
  {
    name: 'trees of PostgREST',
    bound: depth,
    far: 2000,
    of: (n) => get(`/postgrest/deals?or=${'(and'.repeat(n)}(price.eq.1,price.eq.2)${')'.repeat(n)}`),
  },
  {
    name: 'includes of JSON:API',
    bound: 3,
    far: 1000,
    of: (n) => get(`/jsonapi/deals?include=${times(n, 'customer', ',')}`),
  },
  {
    name: 'a path of JSON:API',
    bound: answerBounds.included,
    far: 500,
    of: (n) => get(`/jsonapi/deals?include=${times(n, (at) => (at % 2 ? 'deals' : 'customer'), '.')}`),
  },
  {
    name: 'fields of JSON:API',
    bound: 30,
    far: 1500,
    of: (n) => get(`/jsonapi/deals?fields[deals]=${times(n, (at) => `n${at}`, ',')}`),
  },
  {
    name: 'filters of JSON:API',
    bound: terms,
    far: 500,
    of: (n) => get(`/jsonapi/deals?${times(n, (at) => `filter[price]=${at}`, '&')}`),
  },
  {
    name: 'a page of JSON:API',
    bound: answerBounds.page,
    far: 1e12,
    of: (n) => get(`/jsonapi/deals?page[size]=${n}&page[limit]=${n}&include=customer`),
  },
  { name: 'expands of OData', bound: 2, far: 900, of: (n) => get(`/odata/Deals?$expand=${times(n, 'customer', ',')}`) },
  {
    name: 'expands within each other',
    bound: 2,
    far: 700,
    of: (n) => get(`/odata/Deals?$expand=${'customer($expand='.repeat(n)}deals${')'.repeat(n)}`),
  },
  {
    name: 'a search of OData',
    bound: words,
    far: 2000,
    of: (n) => get(`/odata/Deals?$search=${times(n, 'NOT%20a', '%20')}`),
  },
  {
    name: 'steps of $apply',
    bound: groups,
    far: 500,
    of: (n) => get(`/odata/Deals?$apply=${times(n, 'groupby((owner))', '/')}`),
  },
  {
    name: 'navigations of OData',
    bound: answerBounds.segments,
    far: 700,
    of: (n, { deals: [id] }) => get(`/odata/Deals(${id})${times(n, (at) => (at % 2 ? '/deals' : '/customer'))}`),
  },
  {
    name: 'a view',
    bound: terms,
    far: 900,
    of: (n) => get(`/?${times(n, (at) => `name=${at}`, '&')}`, { accept: 'text/html' }),
  },
  {
    name: 'the page of a list',
    bound: terms,
    far: 900,
    of: (n) => get(`/rest/v1/deals?${times(n, (at) => `name=${at}`, '&')}`, { accept: 'text/html' }),
  },
  {
    name: 'a live list',
    bound: terms,
    far: 900,
    of: (n) => get(`/rest/v1/deals?${times(n, (at) => `stage.in=${at}`, '&')}&snapshot=9`),
  },
]
