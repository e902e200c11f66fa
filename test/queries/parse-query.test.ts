import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tell } from '../../src/languages/tell.ts'
import { updateAction } from '../../src/model/perform/content.ts'
import { buildSchema, NOTHING_ADDED } from '../../src/model/schema/build-schema.ts'
import { type Collection, fieldOf, filterable } from '../../src/queries/collection.ts'
import { collectionNamed } from '../../src/queries/collections.ts'
import { dialects } from '../../src/queries/dialects/dialects.ts'
import { comparisonNames } from '../../src/queries/expressions/comparison.ts'
import { parseQuery } from '../../src/queries/parse/parse-query.ts'
import { leavesOf } from '../../src/queries/query.ts'
import { readQueryString } from '../../src/queries/query-string.ts'
import { readTerm } from '../../src/queries/term.ts'
import { collections, deal } from '../support/schema.ts'

const { customers, deals, history, commands, events } = collections

function terms(raw: string, collection: Collection = customers): readonly string[] {
  const parsed = parseQuery(collection, raw)
  assert.ok('query' in parsed, `${raw}: ${JSON.stringify('faults' in parsed && parsed.faults)}`)
  return leavesOf(parsed.query.filter).map(
    ({ field, operator, values }) => `${field.name} ${operator} ${values.join('|')}`,
  )
}

function asked(raw: string, collection: Collection = customers) {
  const parsed = parseQuery(collection, raw)
  assert.ok('query' in parsed, `${raw}: ${JSON.stringify('faults' in parsed && parsed.faults)}`)
  return parsed.query
}

/** The parameters that are at fault. */
function faults(raw: string, collection: Collection = customers): readonly string[] {
  const parsed = parseQuery(collection, raw)
  return 'faults' in parsed ? parsed.faults.map(({ at }) => at.parameter ?? '') : []
}

function detail(raw: string, collection: Collection = customers): string {
  const parsed = parseQuery(collection, raw)
  assert.ok('faults' in parsed, raw)
  return parsed.faults.map((fault) => tell(fault))[0] ?? ''
}

test('a field of what a deal refers to is asked by its name, before the last dot splits', () => {
  const table = [
    ['customer.country eq DE', 'customer.country=DE', 'customer.country.eq=DE', 'customer.country.in=DE'],
    ['customer.age gte 18', 'customer.age.gte=18', 'customer.age>=18', 'min-customer.age=18', 'customer.age%3E%3D18'],
    ['customer.name null true', 'customer.name.null=true'],
    ['customer.id ne 7', 'customer.id!=7'],
  ] as const
  for (const [meaning, ...spellings] of table) {
    for (const raw of spellings) assert.deepEqual(terms(raw, deals), [meaning, 'deleted eq false'], raw)
  }
  assert.deepEqual(faults('customer.age=x', deals), ['customer.age'])
  assert.deepEqual(faults('sort=customer.age', deals), ['sort'])
  assert.deepEqual(faults('deals.name=x'), ['deals.name'])
})

test('every spelling of the table means what it says', () => {
  const table: readonly (readonly [meaning: string, ...spellings: readonly string[]])[] = [
    ['id gt 5', 'gt=5', 'id>5', 'id%3E5', 'id.gt=5', 'id%3e5', 'id>5='],
    ['id lt 5', 'lt=5', 'id<5', 'id%3C5', 'id.lt=5'],
    ['id gte 5', 'min=5', 'min-id=5', 'id>=5', 'id%3E=5', 'id%3E%3D=5', 'id%3E%3D5', 'id>%3D5', 'id.gte=5'],
    ['id lte 5', 'max=5', 'max-id=5', 'id<=5', 'id%3C=5', 'id%3C%3D=5', 'id%3C%3D5', 'id.lte=5'],
    ['age lt 18', 'age[lt]=18', 'filter[age][lt]=18', 'age%5Blt%5D=18'],
    ['age gte 18', 'min-age=18', 'age>=18', 'age%3E=18', 'age%3E%3D=18', 'age%3E%3D18', 'age.gte=18'],
    ['age ne 18', 'age!=18', 'age%21=18', 'age%21%3D=18', 'age%21%3D18', 'age.ne=18'],
    ['age eq 18', 'age=18', 'age.eq=18', 'age.in=18', '%61ge=18', 'age%2Eeq=18'],
    ['age eq 1|2', 'age[]=1&age[]=2', 'age[0]=1&age[1]=2', 'filter[age]=1,2', 'filter[age][]=1&age=2', 'age[in]=1,2'],
    ['age eq 1|2', 'age=1&age=2', 'age.in=1,2', 'age=1&age.eq=2', 'age.in=1&age.in=2', 'age.in=1,2&age=1'],
    ['age ne 1|2', 'age!=1&age.ne=2'],
    ['age null true', 'age.null=true'],
    ['name regex ^A|b$', 'name.regex=%5EA&name.regex=b$'],
    ['name gte M', 'name>=M', 'name.gte=M'],
    ['name gt a b', 'name>a+b', 'name>a%20b', 'name.gt=a+b'],
    ['name eq a, b|c', 'filter[name]=a%2C b,c', 'name[in]=a%2C%20b,c'],
    ['name eq a, b|c', 'name.in=a%2C%20b,c', 'name.in=a%2c+b&name=c'],
    ['name eq a=b', 'name=a=b', 'name=a%3Db'],
    [
      'createdAt lt 2026-01-01T00:00:00.000Z',
      'createdAt<2026-01-01T00:00:00Z',
      'createdAt.lt=2026-01-01T01:00:00%2B01:00',
    ],
  ]
  for (const [meaning, ...spellings] of table) {
    for (const raw of spellings) assert.deepEqual(terms(raw), [meaning], raw)
  }
})

test('brackets reach over to related things', () => {
  const of = (raw: string) => terms(raw, deals).slice(0, -1)
  for (const raw of ['customer[country]=DE', 'filter[customer][country]=DE', 'filter[customer.country]=DE']) {
    assert.deepEqual(of(raw), ['customer.country eq DE'], raw)
  }
  assert.deepEqual(of('customer[age][gte]=18&filter[customer][age][lt]=30'), [
    'customer.age gte 18',
    'customer.age lt 30',
  ])
  assert.deepEqual(of('filter[customer][country]=DE,FR'), ['customer.country eq DE|FR'])
  assert.deepEqual(of('customer[name]=DE,FR'), ['customer.name eq DE,FR'])
  assert.deepEqual(of('$filter=customer/country+eq+%27DE%27'), ['customer.country eq DE'])
  assert.deepEqual(of('and=(customer.age.gte.18)'), ['customer.age gte 18'])
  assert.deepEqual(faults('customer[age][gte][x]=1', deals), ['customer[age][gte][x]'])
})

test('brackets reach the added fields of related things', () => {
  const fields = [{ on: 'customer', name: 'branch', title: 'Branch', kind: 'text' }] as const
  const added = collectionNamed(buildSchema({ ...NOTHING_ADDED, fields }), 'deals')
  const field = fieldOf(added, 'customer.own.branch')
  for (const [raw, operator] of [
    ['customer[own][branch]=x', 'eq'],
    ['customer[own][branch][]=x', 'eq'],
    ['customer[own][branch][gte]=x', 'gte'],
    ['filter[customer][own][branch]=x', 'eq'],
    ['filter[customer.own.branch][ne]=x', 'ne'],
    ['customer[own.branch]=x', 'eq'],
  ] as const)
    assert.deepEqual(terms(raw, added).slice(0, 1), [`customer.own.branch ${operator} x`], raw)
  for (const dialect of dialects)
    for (const raw of dialect.spell(added, { field, operator: 'gte', texts: ['x'] }))
      assert.deepEqual(terms(raw, added).slice(0, 1), ['customer.own.branch gte x'], `${dialect.name}: ${raw}`)
})

test('any of several bounds is the widest of them, in whatever spelling', () => {
  assert.deepEqual(terms('min=5&id>=3&id.gte=4'), ['id gte 3'])
  assert.deepEqual(terms('lt=5&id<9'), ['id lt 9'])
  assert.deepEqual(terms('name>\u{1F600}&name>\uFF5E'.replace(/[^\x00-\x7f]+/g, encodeURIComponent)), [
    'name gt \uFF5E',
  ])
})

test('stages and statuses are bounded in their declared order', () => {
  const bounds = (raw: string) => terms(raw, deals).slice(0, -1)
  assert.deepEqual(bounds('stage>=proposal&stage.gte=qualified'), ['stage gte qualified'])
  assert.deepEqual(bounds('stage<contract&stage.lt=negotiation'), ['stage lt contract'])
  assert.deepEqual(bounds('status.lte=completed&status<=open'), ['status lte completed'])
})

test('an empty text asks for what is empty, where that can be', () => {
  assert.deepEqual(terms('description=', deals), ['description eq ', 'deleted eq false'])
  assert.deepEqual(terms('description!=&description.in=a,', deals), [
    'description ne ',
    'description eq a|',
    'deleted eq false',
  ])
  for (const raw of ['name=', 'owner=', 'description', 'description.regex=']) {
    assert.equal(faults(raw, deals).length, 1, raw)
  }
})

test('an id is asked for in either case', () => {
  const id = '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'
  assert.deepEqual(terms(`id=${id.toUpperCase()}&gt=${id.toUpperCase()}`, deals), [
    `id eq ${id}`,
    `id gt ${id}`,
    'deleted eq false',
  ])
})

test('different comparisons are all kept', () => {
  assert.deepEqual(terms('age>18&age<30&age!=20&&country=DE&'), [
    'age gt 18',
    'age lt 30',
    'age ne 20',
    'country eq DE',
  ])
})

test('a filter may lie outside what can be kept', () => {
  assert.deepEqual(terms('age.gt=200&min-children=-5'), ['age gt 200', 'children gte -5'])
  assert.deepEqual(terms('price<-0.50&paid>9007199254740992', deals), [
    'price lt -500',
    `paid gt ${Number.MAX_SAFE_INTEGER}`,
    'deleted eq false',
  ])
  assert.deepEqual(terms(`id=9007199254740992&name=${'x'.repeat(500)}`), [
    'id eq 9007199254740992',
    `name eq ${'x'.repeat(500)}`,
  ])
})

test('a value that is not of the field names its parameter', () => {
  const bad = ['1e2', '0x12', '%2018', '18%20', '+18', '', '01', '1.0', '--1', '٣', '9007199254740993', 'null', 'NaN']
  for (const value of bad) assert.deepEqual(faults(`age=${value}`), ['age'], value)
  for (const value of ['1e2', '.5', '1.', '1.0005', '', '1,5'])
    assert.deepEqual(faults(`price=${value}`, deals), ['price'], value)
  for (const value of ['TRUE', '1', '']) assert.deepEqual(faults(`held=${value}`, deals), ['held'], value)
  for (const value of ['2026-02-30', '2026-1-1', ''])
    assert.deepEqual(faults(`completionDate<=${value}`, deals), ['completionDate<'])
  assert.deepEqual(faults('status=opn', deals), ['status'])
  assert.deepEqual(faults('id=7', deals), ['id'])
  assert.deepEqual(faults('gt=7', deals), ['gt'])
  assert.deepEqual(faults('name='), ['name'])
  assert.deepEqual(faults('name=%00'), ['name'])
  assert.deepEqual(faults('age'), ['age'])
  assert.deepEqual(faults('age>'), ['age>'])
  assert.deepEqual(faults('age>x'), ['age>x'])
  assert.deepEqual(faults('age>1=2'), ['age>1'])
  assert.deepEqual(faults('age!18'), ['age!18'])
  assert.deepEqual(faults('age.in=1,,2'), ['age.in'])
  assert.deepEqual(faults('age.in=1%2C2'), ['age.in'])
  assert.deepEqual(faults('age.in'), ['age.in'])
  assert.deepEqual(faults('age.null=yes'), ['age.null'])
  assert.deepEqual(faults('name.regex=(&age.regex='), ['name.regex', 'age.regex'])
  assert.deepEqual(faults(`name.regex=${'a'.repeat(201)}`), ['name.regex'])
  assert.deepEqual(faults(`name.regex=${encodeURIComponent('\u{1F600}'.repeat(200))}`), [])
})

test('a bad percent escape names its parameter', () => {
  assert.deepEqual(faults('name=%zz&%C3=1&age=%FF'), ['name', '%C3', 'age'])
})

test('the names that unknown ones are compared with are put together once', (t) => {
  const [dialect] = dialects
  const spell = t.mock.method(dialect ?? assert.fail(), 'spell')
  const spelledFor = (raw: string): number => {
    spell.mock.resetCalls()
    assert.ok('faults' in parseQuery({ ...deals }, raw))
    return spell.mock.callCount()
  }
  const once = spelledFor('agee=1')
  assert.ok(once > 0)
  assert.equal(spelledFor(Array.from({ length: 20 }, (_, n) => `agee${n}=1`).join('&')), once)
})

test('an unknown name is told with the nearest known one', () => {
  const near: readonly (readonly [string, string])[] = [
    ['agee=1', 'age'],
    ['pag=1', 'page'],
    ['maxpagesise=1', 'maxpagesize'],
    ['min-agee=1', 'min-age'],
    ['age.gtee=1', '.gte'],
    ['agee.gte=1', 'age'],
    ['agee>1', 'age'],
    ['sort=agee', 'age'],
    ['fields=id,nam', 'name'],
    ['limt=5', 'limit'],
    ['page[sise]=5', 'page[size]'],
    ['$filtre=age eq 5', '$filter'],
    ['age[gtee]=1', 'gte'],
    ['filter[agee]=1', 'age'],
    ['search=ann', 'q'],
  ]
  for (const [raw, name] of near) {
    assert.match(detail(raw), new RegExp(`did you mean ${RegExp.escape(name)}\\?`), raw)
  }
  for (const [raw, name] of [
    ['customer.contry=DE', 'customer.country'],
    ['customer.agee.gte=1', 'customer.age'],
    ['customer.agee>1', 'customer.age'],
    ['customer.age.gtee=1', '.gte'],
  ] as const) {
    assert.ok(detail(raw, deals).endsWith(`, did you mean ${name}?`), detail(raw, deals))
  }
  for (const raw of ['__proto__=1', 'constructor.gte=1', 'toString>1', 'age.__proto__=1', 'min-name=1', '=1']) {
    assert.equal(faults(raw).length, 1, raw)
  }
  assert.deepEqual(faults('dry-run=true&format=xml'), ['dry-run'])
})

test('the settings are read strictly and once', () => {
  assert.deepEqual(
    { ...asked('page=3&maxpagesize=20&count=exact&empty=404&fields=id,age&format=csv'), sort: [] },
    { filter: [], sort: [], size: 20, page: 3, count: true, fields: ['id', 'age'], refuseEmpty: true },
  )
  assert.equal(asked('').size, 50)
  assert.equal(asked('').page, 1)
  assert.equal(asked('maxpagesize=99999999999999999999').size, 1000)
  const bad = [
    'page=0',
    'page=-1',
    'page=1.5',
    'page=',
    'page',
    'page=9007199254740993',
    'maxpagesize=0',
    'maxpagesize=x',
  ]
  for (const raw of [
    ...bad,
    'count=yes',
    'empty=true',
    'sort=',
    'sort=age,age',
    'sort=age,-age',
    'fields=',
    'after=x',
  ]) {
    assert.deepEqual(faults(raw), [raw.split('=')[0]], raw)
  }
  const repeated = {
    page: '1',
    maxpagesize: '5',
    count: 'exact',
    sort: 'id',
    fields: 'id',
    empty: '404',
    format: 'xml',
  }
  for (const [name, value] of Object.entries(repeated)) {
    assert.deepEqual(faults(`${name}=${value}&${name}=${value}`), [name])
  }
  assert.deepEqual(faults('page=x&page=1'), ['page', 'page'])
})

test('a sort ends with the key, in the direction of the last field', () => {
  const sort = (raw: string) => asked(raw).sort.map(({ field, descending }) => `${descending ? '-' : '+'}${field.name}`)
  assert.deepEqual(sort(''), ['+id'])
  assert.deepEqual(sort('sort=age,-name'), ['+age', '-name', '-id'])
  assert.deepEqual(sort('sort=-age'), ['-age', '-id'])
  assert.deepEqual(sort('sort=-age,name'), ['-age', '+name', '+id'])
  assert.deepEqual(sort('sort=-id'), ['-id'])
  assert.deepEqual(sort('sort=age,-id,name'), ['+age', '-id'])
})

test('a query has at most fifty filters', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => `age=${n}`).join('&')
  assert.deepEqual(terms(many(50)).length, 1)
  assert.deepEqual(faults(many(51)), ['age'])
  assert.match(detail(many(51)), /50/)
})

test('a list of deals is of live ones unless it says otherwise', () => {
  assert.deepEqual(terms('', deals), ['deleted eq false'])
  assert.deepEqual(terms('deleted=true', deals), ['deleted eq true'])
  assert.deepEqual(terms('deleted.in=true,false', deals), ['deleted eq true|false'])
  assert.deepEqual(faults('sort=deleted&fields=deleted', deals), ['sort', 'fields'])
})

test('the deal of a history is not asked for by the client', () => {
  const id = '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'
  assert.deepEqual(faults(`deal=${id}`, history), ['deal'])
  assert.deepEqual(terms(`deal=${id}&type=deal.held`, events), [
    `deal eq ${id}`,
    'type eq deal.held',
    'private eq false',
  ])
  assert.deepEqual(faults('private=true', events), ['private'])
  assert.deepEqual(asked('fields=revision,params', history).fields, ['revision', 'params'])
  assert.deepEqual(terms(`action=${updateAction(deal)}`, commands), [
    `action eq ${updateAction(deal)}`,
    'private eq false',
  ])
})

test('every dialect reads what it spells, on every field of every collection', () => {
  const sample: { readonly [kind: string]: string } = {
    ...{ integer: '5', amount: '5.5', date: '2026-01-30', instant: '2026-01-30T10:00:00.000Z', boolean: 'true' },
    ...{ uuid: '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10', text: 'a, b&c=%d', choice: '' },
  }
  for (const collection of Object.values(collections)) {
    for (const field of filterable(collection)) {
      for (const operator of comparisonNames) {
        const own = String((field.kind.schema.enum as readonly string[] | undefined)?.[0] ?? sample[field.kind.name])
        const text = operator === 'regex' ? '^a+' : operator === 'null' ? 'false' : own
        const meant = readTerm(field, operator === 'in' ? 'eq' : operator, text)
        if ('fault' in meant) continue
        for (const dialect of dialects) {
          for (const raw of dialect.spell(collection, { field, operator, texts: [text] })) {
            const [parameter] = readQueryString(raw).parameters
            assert.deepEqual(parameter && dialect.read(collection, parameter), meant, `${collection.name}?${raw}`)
          }
        }
      }
    }
  }
})

test('a part, a start and an end of a text are different comparisons', () => {
  assert.deepEqual(terms('name.contains=Ann&name.contains=%C3%89&name.starts=b&name.ends=c', customers), [
    'name like %ann%|%e%',
    'name like b%',
    'name like %c',
  ])
  assert.deepEqual(faults('name.contains=&name.starts=%CC%81&age.contains=4', customers), [
    'name.contains',
    'name.starts',
  ])
})

test('a search has at most ten words in 200 characters, and counts as its words', () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join('+')
  assert.deepEqual(faults(`q=${words(10)}&${'age=1&'.repeat(40)}q=one`, customers), ['q'])
  assert.deepEqual(faults(`q=${words(10)}&${'age=1&'.repeat(39)}q=one`, customers), [])
  for (const bad of ['q=', 'q', 'q=+', `q=${words(11)}`, `q=${'a'.repeat(201)}`, 'q=%00', 'q=%CC%81']) {
    assert.deepEqual(faults(bad, customers), ['q'], bad)
  }
  assert.deepEqual(faults('q=ann', history), ['q'])
})
