import { formBounds, requestBounds } from '../../../src/values/bounds.ts'
import { FORM, get, type Hostile, type Multiplier, post, times } from './multiplier.ts'

const { head, tags, languages, key } = requestBounds
const header = (name: string, bound: number, far: number, of: (n: number) => string): Multiplier => ({
  name: `the header ${name}`,
  bound,
  far,
  of: (count, { deals: [id] }) => get(`/rest/v1/deals/${id}`, { [name]: of(count) }),
})

const form = (content: string, path = '/rest/v1/deals'): Hostile => post(path, content, FORM)
const BOUNDARY = 'between'
const several = (parts: string): Hostile => post('/imports?on=deal', parts, `multipart/form-data; boundary=${BOUNDARY}`)
const part = (disposition: string, content = ''): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`
const END = `--${BOUNDARY}--\r\n`

export const headersAndForms: readonly Multiplier[] = [
  header('x-long', head - 300, 15_900, (n) => 'x'.repeat(n)),
  header('accept', 100, 3900, (n) => times(n, 'a/b', ',')),
  header('accept', 10, 5000, (n) => `a/b${';q=1'.repeat(n)}`),
  header('accept', 10, 7000, (n) => '"\\'.repeat(n)),
  header('accept-language', languages, 4000, (n) => times(n, 'xx', ',')),
  header('accept-language', 10, 15_000, (n) => `en-${'x'.repeat(n)}`),
  header('accept-encoding', 10, 3000, (n) => times(n, 'gzip', ',')),
  header('if-none-match', Math.floor(tags / 4), 3900, (n) => times(n, '"a"', ',')),
  header('if-match', 10, 7000, (n) => 'W/'.repeat(n)),
  header('prefer', 10, 2500, (n) => times(n, 'a="', ',')),
  header('prefer', 10, 1000, (n) => times(n, 'return=minimal', ';')),
  header('cookie', 10, 4000, (n) => times(n, (at) => `c${at % 10}=`, ';')),
  header('cookie', 10, 15_000, (n) => `dealdesk_session=${'x'.repeat(n)}`),
  header('authorization', 10, 15_000, (n) => `Basic ${'A'.repeat(n)}`),
  header('forwarded', 10, 3000, (n) => times(n, 'for=1', ',')),
  header('range', 10, 3000, (n) => `bytes=${times(n, '0-1', ',')}`),
  header('last-event-id', 10, 15_000, (n) => '9'.repeat(n)),
  header('traceparent', 55, 15_000, (n) => '0'.repeat(n)),
  {
    name: 'the header idempotency-key',
    bound: key,
    far: 15_000,
    of: (n) => ({
      ...post('/rest/v1/batch', '{"commands":[{"action":"CreateDeal","params":{"price":1}}]}'),
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k'.repeat(n) },
    }),
  },
  {
    name: 'parameters of a content type',
    bound: 10,
    far: 3000,
    of: (n) => post('/rest/v1/deals', '{"name":"n","price":1,"no":1}', `application/json${';a="\\"'.repeat(n)}`),
  },
  {
    name: 'fields of a form',
    bound: formBounds.fields,
    far: 330_000,
    of: (n) => form(times(n, (at) => `f${at % 100_000}=`, '&')),
  },
  { name: 'ampersands of a form', bound: formBounds.fields, far: 1_000_000, of: (n) => form('&'.repeat(n)) },
  {
    name: 'a list in a form',
    bound: formBounds.fields,
    far: 100_000,
    of: (n) => form(`name=n&price=1&tags[]=${times(n, 'a', '&tags[]=')}`),
  },
  { name: 'escapes of a form', bound: 200, far: 330_000, of: (n) => form(`price=1&name=${'%41'.repeat(n)}`) },
  { name: 'pluses of a form', bound: 200, far: 1_000_000, of: (n) => form(`price=1&name=${'+'.repeat(n)}`) },
  {
    name: 'a long field of a form',
    bound: 10_000,
    far: 1_000_000,
    of: (n) => form(`price=1&description=${'x'.repeat(n)}`),
  },
  { name: 'a long name in a form', bound: 200, far: 1_000_000, of: (n) => form(`${'own.'.repeat(n)}=1`) },
  { name: 'a password', bound: 200, far: 900_000, of: (n) => form(`name=a&password=${'p'.repeat(n)}`, '/sign-in') },
  {
    name: 'changes of a form',
    bound: 1000,
    far: 25_000,
    of: (n, { deals }) =>
      form(
        times(n, (at) => `id=${deals[at % deals.length]}`, '&'),
        '/changes/deals',
      ),
  },
  {
    name: 'a view of a form',
    bound: 50,
    far: 100_000,
    of: (n) => form(`name=v&query=${encodeURIComponent(times(n, (at) => `name=${at}`, '&'))}`, '/views'),
  },
  {
    name: 'parts of a form',
    bound: formBounds.parts,
    far: 15_000,
    of: (n) => several(`${times(n, part('name="on"', 'deal'))}${END}`),
  },
  {
    name: 'files of a form',
    bound: formBounds.parts,
    far: 10_000,
    of: (n) => several(`${times(n, part('name="file"; filename="a.csv"', 'name,price\na,x\n'))}${END}`),
  },
  {
    name: 'the headers of a part',
    bound: formBounds.partHead - 60,
    far: 990_000,
    of: (n) => several(`${part(`name="${'n'.repeat(n)}"`)}${END}`),
  },
  {
    name: 'headers of a part',
    bound: 20,
    far: 250_000,
    of: (n) => several(`--${BOUNDARY}\r\n${'a:\r\n'.repeat(n)}\r\n${END}`),
  },
  {
    name: 'the name of a file',
    bound: formBounds.name,
    far: 7000,
    of: (n) => several(`${part(`name="file"; filename="${'/'.repeat(n)}x"`, 'name\n')}${END}`),
  },
  {
    name: 'boundaries that break off',
    bound: 10,
    far: 100_000,
    of: (n) =>
      several(
        `${part('name="file"; filename="a"', `name,price\n${`\r\n--${BOUNDARY.slice(0, -1)}`.repeat(n)}`)}${END}`,
      ),
  },
  { name: 'bytes before a form', bound: 10, far: 990_000, of: (n) => several(`${'-'.repeat(n)}${END}`) },
  {
    name: 'a word of a form',
    bound: formBounds.word,
    far: 990_000,
    of: (n) => several(`${part('name="create"', 'x'.repeat(n))}${END}`),
  },
]
