import { graphqlBounds } from '../../../src/values/bounds.ts'
import { type Hostile, type Multiplier, post, times } from './multiplier.ts'

const { characters, tokens, definitions, selections, spread, pairs, directives, depth, introspectionDepth } =
  graphqlBounds

const ask = (query: string): Hostile => post('/graphql', JSON.stringify({ query }))
const nodes = (fields: string): string => `{deals(first:1){nodes{${fields}}}}`
const document = (name: string, bound: number, far: number, of: (n: number) => string): Multiplier => ({
  name: `GraphQL: ${name}`,
  bound,
  far,
  of: (count) => ask(of(count)),
})

export const graphql: readonly Multiplier[] = [
  document('characters', characters - 10, 1_000_000, (n) => `{a}${' '.repeat(n)}`),
  document('comments', tokens, 90_000, (n) => `${'#\n'.repeat(n)}{a}`),
  document('tokens', tokens, 99_000, (n) => `{${'a '.repeat(n)}}`),
  document('braces', depth, 99_000, (n) => '{a'.repeat(n)),
  document('depth', depth, 8000, (n) => `${'{customer'.repeat(n)}{id}${'}'.repeat(n)}`),
  document('lists of an argument', 32, 50_000, (n) => `{deals(first:${'['.repeat(n)}${']'.repeat(n)}){nodes{id}}}`),
  document(
    'objects of an argument',
    32,
    20_000,
    (n) => `{deals(filter:${'{a:'.repeat(n)}1${'}'.repeat(n)}){nodes{id}}}`,
  ),
  document(
    'types of a variable',
    32,
    40_000,
    (n) => `query($a:${'['.repeat(n)}Int${']'.repeat(n)}){deals(first:$a){nodes{id}}}`,
  ),
  document('variables', 100, 9000, (n) => `query(${times(n, (at) => `$v${at}:Int`, ',')}){deals{nodes{id}}}`),
  document(
    'aliases',
    selections,
    9000,
    (n) => `{${times(n, (at) => `a${at}:deals(first:1000){nodes{id name}}`, ' ')}}`,
  ),
  document('aliases of one thing', selections, 9000, (n) => nodes(times(n, (at) => `a${at}:description`, ' '))),
  document('one field again and again', Math.ceil(Math.sqrt(2 * pairs)), 20_000, (n) => nodes('id '.repeat(n))),
  document('unknown fields', selections, 9000, (n) => nodes(times(n, (at) => `nam${at}`, ' '))),
  document('arguments', 50, 9000, (n) => `{deals(${times(n, (at) => `a${at}:1`, ',')}){nodes{id}}}`),
  document('directives', directives, 9000, (n) => nodes(`id ${'@skip(if:false) '.repeat(n)}`)),
  document('definitions', definitions, 9000, (n) => times(n, (at) => `query q${at}{a}`, ' ')),
  document(
    'fragments that spread twice',
    Math.floor(Math.log2(spread)),
    48,
    (n) =>
      `${nodes('...f0')}${times(n, (at) => `fragment f${at} on Deal{...f${at + 1} ...f${at + 1}}`, ' ')} fragment f${n} on Deal{id}`,
  ),
  document(
    'fragments in a circle',
    definitions,
    1000,
    (n) => `${nodes('...f0')}${times(n, (at) => `fragment f${at} on Deal{...f${(at + 1) % n}}`, ' ')}`,
  ),
  document('inline fragments', depth, 9000, (n) => nodes(`${'...{'.repeat(n)}id${'}'.repeat(n)}`)),
  document(
    'introspection',
    introspectionDepth,
    5000,
    (n) => `{__schema{types{${'fields{type{'.repeat(n)}name${'}}'.repeat(n)}}}}`,
  ),
  document('introspected fields', 100, 9000, (n) => `{__schema{types{${'fields{name} '.repeat(n)}}}}`),
  document('digits', 10, 99_000, (n) => `{deals(first:${'9'.repeat(n)}){nodes{id}}}`),
  document('a block of text', 100, 99_000, (n) => `{deals(q:"""${'\\"""\n '.repeat(n)}"""){nodes{id}}}`),
  document(
    'mutations',
    100,
    9000,
    (n) => `mutation{${times(n, (at) => `a${at}:createDeal(name:"n",price:1){deal{id}}`, ' ')}}`,
  ),
  document(
    'pages within pages',
    10,
    1000,
    (n) => `{customers(first:${n}){nodes{deals(first:50){nodes{customer{deals(first:50){nodes{id}}}}}}}}`,
  ),
]
