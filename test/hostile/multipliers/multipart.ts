import { batchBounds, bodyBounds } from '../../../src/values/bounds.ts'
import { type Hostile, type Multiplier, post, times } from './multiplier.ts'

// Many requests in one, as multipart/mixed.

const { commands } = batchBounds
const ADD = 'POST Deals HTTP/1.1\r\n\r\n{"name":"n","price":1}'
const READ = 'GET Deals?$top=1000&$expand=customer HTTP/1.1\r\n\r\n'
const batch = (content: string): Hostile => post('/odata/$batch', content, 'multipart/mixed; boundary=b')
const part = (boundary: string, request: string): string =>
  `--${boundary}\r\nContent-Type: application/http\r\n\r\n${request}\r\n`
const changeSet = (content: string): string =>
  `--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n${content}--c--\r\n`
const END = '--b--'

export const multipart: readonly Multiplier[] = [
  { name: 'reads in parts', bound: commands, far: 10_000, of: (n) => batch(times(n, part('b', READ)) + END) },
  {
    name: 'writes in a change set',
    bound: commands,
    far: 10_000,
    of: (n) => batch(changeSet(times(n, part('c', ADD))) + END),
  },
  {
    name: 'change sets',
    bound: commands,
    far: 6000,
    of: (n) => batch(times(n, changeSet(part('c', ADD))) + END),
  },
  { name: 'parts of nothing', bound: commands, far: 200_000, of: (n) => batch(times(n, '--b\r\n') + END) },
  {
    name: 'change sets of nothing',
    bound: commands,
    far: 15_000,
    of: (n) => batch(times(n, changeSet('')) + END),
  },
  {
    name: 'spaces behind a boundary',
    bound: 1000,
    far: 1_000_000,
    of: (n) => batch(`${part('b', READ)}--b${' '.repeat(n)}x`),
  },
  {
    name: 'line breaks before a request',
    bound: 1000,
    far: 1_000_000,
    of: (n) => batch(part('b', '\n'.repeat(n)) + END),
  },
  {
    name: 'a long head of a part',
    bound: 1000,
    far: 1_000_000,
    of: (n) => batch(`--b\r\n${'\r \n'.repeat(n / 3)}${END}`),
  },
  {
    name: 'headers of a request in a part',
    bound: bodyBounds.members,
    far: 100_000,
    of: (n) => batch(part('b', `GET Deals HTTP/1.1\r\n${times(n, (at) => `h${at}: 1\r\n`)}`) + END),
  },
  {
    name: 'values in parts',
    bound: bodyBounds.values - 1000,
    far: 340_000,
    of: (n) => batch(changeSet(times(5, part('c', `POST Deals HTTP/1.1\r\n\r\n[${times(n / 5, '1', ',')}]`))) + END),
  },
]
