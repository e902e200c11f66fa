import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { inspect } from 'node:util'
import { type Collection, fieldOf } from '../../../src/queries/collection.ts'
import { namedQueries } from '../../../src/queries/named-queries.ts'
import { parseQuery } from '../../../src/queries/parse/parse-query.ts'
import { type Filter, type Query, type Term, type Tree, type Value, withScope } from '../../../src/queries/query.ts'
import { postgres } from '../../../src/store/postgres/sql/dialect.ts'
import { thingColumns } from '../../../src/store/rows/things.ts'
import { mayScan } from '../../../src/store/select/order.ts'
import { readBoundedPage, readPage } from '../../../src/store/select/read-page.ts'
import {
  boundedSelect,
  countSelect,
  drivingFields,
  drivingTrees,
  probeSelect,
  select,
} from '../../../src/store/select/select.ts'
import { WINDOW } from '../../../src/store/select/texts/bounded-text.ts'
import { sqlite } from '../../../src/store/sqlite/sql/dialect.ts'
import { relatedReader } from '../../../src/store/transactions/reads.ts'
import type { RunStatement } from '../../../src/store/transactions/work.ts'
import { openSampleTables, planOf, rowsOf } from '../../support/database/sample-tables.ts'
import { collections, deal, schema } from '../../support/schema.ts'

/** Many times what a bounded select looks at. */
const ROWS = 20 * WINDOW
const { customers, deals } = collections

let db: DatabaseSync

before(() => {
  db = openSampleTables()
  db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
    INSERT INTO customers (id, name, email, age, children, country, created_at, updated_at, revision, doc)
      SELECT i, 'name ' || (i * 7919 % 50000), NULL, iif(i % 3 = 0, NULL, i * 31 % 100),
      iif(i % 2 = 0, NULL, i % 7), NULL, strftime('%FT%H:%M:%fZ', 1.7e9 + i % 9999, 'unixepoch'), '', 1, i FROM n`)
  db.exec(`INSERT INTO deals (${thingColumns(deal)}, doc) SELECT printf('01936f2e-5d3c-7a41-8f6b-%012d', id), name, id * 13 % 5000, 'EUR', id % 50 + 1, NULL,
      '', 'sales', 'lead', iif(age IS NULL, NULL, printf('2026-11-%02d', age % 30 + 1)), NULL, 'open', 0, NULL, 0, 0, 0, NULL, NULL, NULL,
      iif(id % 100 = 0, created_at, NULL), created_at, created_at, 1, NULL, id FROM customers`)
})
after(() => db.close())

function asked(collection: Collection, raw: string): Query {
  const parsed = parseQuery(collection, raw)
  assert.ok('query' in parsed, inspect(parsed))
  return parsed.query
}

function steps(collection: Collection, query: Query, scope: Filter = []): string {
  return planOf(db, select(collection, withScope(scope, query), sqlite)).join('\n')
}

/** The values of the row at that place of the sort. */
function placed(collection: Collection, query: Query, page: number): readonly Value[] {
  const far = { ...query, page, size: 1000 }
  const last = readPage(far, rowsOf(db, select(collection, far, sqlite))).last
  assert.ok(last)
  return last
}

for (const collection of [customers, deals]) {
  for (const field of [...collection.fields.values()].filter(({ indexed }) => indexed)) {
    for (const sort of [field.name, `-${field.name}`]) {
      test(`${collection.name} by ${sort}: the first page, any later one and any way back come from the index`, () => {
        const { page: _, ...first } = asked(collection, `sort=${sort}`)
        const inNulls = Math.ceil((ROWS * 0.9) / 1000)
        for (const page of [undefined, ROWS / 2 / 1000, inNulls]) {
          const row = page === undefined ? undefined : placed(collection, first, page)
          for (const query of row === undefined
            ? [first]
            : [
                { ...first, after: row },
                { ...first, before: row },
              ]) {
            const plan = steps(collection, query)
            assert.doesNotMatch(plan, /TEMP B-TREE/, inspect(query))
            // Everything but the first page begins at its row.
            if (row !== undefined) assert.doesNotMatch(plan, /SCAN (customers|deals)/, inspect(query))
          }
        }
        if (collection === customers) assert.equal(mayScan(collection, first), false)
      })
    }
  }
}

test('customers filtered by a range of ages and sorted by id are walked by id', () => {
  for (const raw of ['age>=18', 'min-age=18&max-age=30', 'age.ne=4', 'age.in=4,5']) {
    const query = asked(customers, raw)
    assert.equal(steps(customers, query), 'SCAN customers', raw)
    assert.equal(mayScan(customers, query), true)
  }
})

test('customers of one age come from the index on age, in the order of their ids', () => {
  for (const raw of ['age=18', 'age.null=true', 'age=18&sort=age', 'age=18&gt=500', 'age=18&sort=-id']) {
    const query = asked(customers, raw)
    const plan = steps(customers, query)
    assert.match(plan, /^SEARCH customers USING INDEX customers_age\w* \(age=\?/, raw)
    assert.doesNotMatch(plan, /TEMP/)
    assert.equal(mayScan(customers, query), false, raw)
  }
})

test('a filter on the field of the sort starts and ends the walk', () => {
  const query = asked(customers, 'age>=18&age<30&sort=age')
  assert.match(steps(customers, query), /^SEARCH customers USING INDEX customers_age \(age>\? AND age<\?\)$/)
  assert.equal(mayScan(customers, query), false)
  const { page: _, ...rest } = query
  const behind = steps(customers, { ...rest, after: [20, 5000] })
  assert.match(behind, /\(age=\? AND rowid>\?\)[\s\S]*\(age>\? AND age<\?\)/)
})

test('deals of a customer, of an owner, on hold or deleted come from their own indexes', () => {
  const scoped = (name: string, value: Value) =>
    steps(
      deals,
      asked(deals, ''),
      namedQueries(schema)
        .find((each) => each.name === name)
        ?.scope(value),
    )
  assert.equal(scoped('deals-by-customer', 7), 'SEARCH deals USING INDEX deals_customer (customer_id=?)')
  assert.equal(scoped('deals-by-owner', 'Mila Sanz'), 'SEARCH deals USING INDEX deals_owner (owner=?)')
  assert.equal(scoped('held-deals', 'EUR'), 'SEARCH deals USING INDEX deals_held (held=?)')
  assert.equal(steps(deals, asked(deals, 'deleted=true')), 'SEARCH deals USING INDEX deals_deleted (<expr>=?)')
  assert.equal(mayScan(deals, asked(deals, 'deleted=true')), false)
})

test('what may scan is told from what an index answers', () => {
  const scans = [
    'count=exact',
    'page=500',
    'sort=email',
    'sort=age,name',
    'name.regex=x',
    'country=DE',
    'id>5&sort=age',
    'sort=age,-id',
  ]
  for (const raw of scans) assert.equal(mayScan(customers, asked(customers, raw)), true, raw)
  const walks = ['', 'page=2', 'gt=5&max=100', 'sort=-name', 'sort=-age', 'sort=age,id', 'id=5&country=DE&count=exact']
  for (const raw of walks) assert.equal(mayScan(customers, asked(customers, raw)), false, raw)
})

test('a bounded select answers what it finds near, and says when it saw too little', () => {
  let looks = 0
  db.function('matches_regex', (_, text) => {
    looks++
    return Number(text === 'zzz')
  })
  db.exec(`UPDATE customers SET name = 'zzz', country = 'DE' WHERE id = ${ROWS / 2}`)
  const bounded = (raw: string) => {
    looks = 0
    const query = asked(customers, raw)
    const statement = boundedSelect(customers, query, sqlite)
    assert.ok(statement)
    for (const each of [statement.page, statement.remainder()]) {
      assert.doesNotMatch(planOf(db, each).join('\n'), /TEMP B-TREE|MATERIALIZE/)
    }
    const page = readBoundedPage(
      query,
      statement,
      (each) => readPage(query, rowsOf(db, each)),
      (each) => rowsOf(db, each),
    )
    assert.ok(looks <= WINDOW + 1, `${raw} looked at ${looks} rows`)
    return page
  }
  assert.equal(bounded('age>=18')?.items.length, 50)
  assert.equal(bounded('age>=18&sort=-children')?.items.length, 50)
  // There is one, but not near.
  assert.equal(bounded('country=DE'), undefined)
  assert.equal(bounded('name.regex=zzz'), undefined)
  assert.ok(looks > WINDOW / 2)
  assert.equal(bounded('name.regex=zzz&sort=age'), undefined)
  assert.ok(looks > WINDOW / 2)
  assert.deepEqual(bounded(`name.regex=zzz&gt=${ROWS - 1000}`)?.items, [])
  assert.equal(bounded(`age.ne=1&gt=${ROWS - 10}`)?.items.length, 10)
  assert.equal(boundedSelect(customers, asked(customers, 'sort=email'), sqlite), undefined)
})

test('two queries of one shape share one text', () => {
  const one = select(customers, asked(customers, 'age>=18&sort=name'), sqlite)
  const other = select(customers, asked(customers, 'min-age=20&sort=name'), sqlite)
  assert.ok(Object.is(one.text, other.text))
  assert.deepEqual(
    [one.values, other.values],
    [
      [18, 51],
      [20, 51],
    ],
  )
})

test('no parameter is the whole limit of a text: SQLite would plan the text anew for each use', () => {
  for (const search of ['', 'sort=-name', 'age>=18&page=3', 'sort=age', 'group=country&measure=count'])
    assert.doesNotMatch(select(customers, asked(customers, search), sqlite).text, /LIMIT \?(?! \+ 0)/, search)
})

test('PostgreSQL gets numbered and typed values', () => {
  const { text, values } = select(deals, asked(deals, 'price>=9.5&held=true&sort=-completionDate'), postgres)
  assert.equal(
    text,
    'SELECT * FROM (SELECT doc AS column0, completion_date AS column1, id AS column2 FROM deals WHERE completion_date IS NOT NULL AND price_thousandths >= $1::bigint AND held = true AND deleted_at IS NULL ORDER BY completion_date DESC, id DESC LIMIT $2) AS part0 UNION ALL SELECT * FROM (SELECT doc AS column0, completion_date AS column1, id AS column2 FROM deals WHERE completion_date IS NULL AND price_thousandths >= $3::bigint AND held = true AND deleted_at IS NULL ORDER BY id DESC LIMIT $4) AS part1 LIMIT $5',
  )
  assert.deepEqual(values, [9500, 51, 9500, 51, 51])
})

test('a field whose filter leaves few rows leads, and the sort does not tempt the planner away', () => {
  const query = asked(customers, 'min-age=18&children.gte=6')
  const [, children] = drivingFields(customers, query)
  assert.equal(children?.name, 'children')
  const plan = planOf(db, select(customers, query, sqlite, { driving: children })).join('\n')
  assert.match(plan, /^SEARCH customers USING INDEX customers_children\w* \(children>\?/)
  assert.equal(rowsOf(db, probeSelect(customers, query, sqlite, children, 500))[0]?.[0], 500)
})

test('a tree leads where an index has each of its alternatives, and nowhere else', () => {
  const term = (name: string, value: Value): Term => ({
    field: fieldOf(customers, name),
    operator: 'eq',
    values: [value],
  })
  const either = (one: Term, other: Term): Tree => ({ any: [[one], [other]], negated: false })
  const indexed = either(term('age', 31), term('children', 6))
  const query = { ...asked(customers, 'sort=name'), filter: [indexed] }
  assert.deepEqual(drivingTrees(customers, query), [indexed])
  const plan = planOf(db, select(customers, query, sqlite, { driving: indexed })).join('\n')
  assert.match(plan, /MULTI-INDEX OR/)
  assert.match(plan, /SEARCH customers USING INDEX customers_age/)
  assert.match(plan, /SEARCH customers USING INDEX customers_children/)
  const parsed = asked(customers, 'or=(age.is.null,and(children.gte.6,email.eq.a@b.example))&sort=name')
  const [spelled] = drivingTrees(customers, parsed)
  assert.ok(spelled)
  const steps = planOf(db, select(customers, parsed, sqlite, { driving: spelled })).join('\n')
  assert.match(steps, /SEARCH customers USING INDEX customers_age\w* \(age=\?/)
  assert.match(steps, /SEARCH customers USING INDEX customers_children\w* \(children>\?/)
  const unindexed = either(term('age', 31), term('email', 'a@b.example'))
  assert.deepEqual(drivingTrees(customers, { ...query, filter: [unindexed, { ...indexed, negated: true }] }), [])
})

test('deals are filtered by their customers along the sort, each looked up by its key', () => {
  for (const raw of ['customer.country=DE', 'customer.age.gte=18', 'customer.age=31&customer.children=2']) {
    const query = asked(deals, raw)
    const [first, ...rest] = planOf(db, select(deals, query, sqlite))
    assert.match(first ?? '', /^SEARCH deals USING INDEX deals_deleted/, raw)
    const lookups = rest.filter((step) => /SCAN|SEARCH/.test(step))
    assert.deepEqual(lookups, ['SEARCH related USING INTEGER PRIMARY KEY (rowid=?)'], raw)
    assert.equal(mayScan(deals, query), true, raw)
  }
})

test('a filter on customers that leaves few deals leads to them, from index to index', () => {
  const query = asked(deals, 'customer.name=name+7919&customer.country.ne=DE&customer.age.lt=200&sort=-updatedAt')
  const [name, age, ...others] = drivingFields(deals, query)
  assert.deepEqual([name?.name, age?.name, others], ['customer.name', 'customer.age', []])
  assert.ok(name && age)
  const plan = planOf(db, select(deals, query, sqlite, { driving: name })).join('\n')
  assert.match(plan, /SEARCH deals USING INDEX deals_customer \(customer_id=\?\)/)
  assert.match(plan, /SEARCH related USING INDEX customers_name \(name=\?\)/)
  assert.doesNotMatch(plan, /SCAN (deals|related|customers)/)
  const probe = probeSelect(deals, query, sqlite, name, 1000)
  const probing = planOf(db, probe).join('\n')
  assert.match(probing, /SEARCH customers USING (COVERING )?INDEX customers_name \(name=\?\)/)
  assert.match(probing, /SEARCH deals USING (COVERING )?INDEX deals_customer \(customer_id=\?\)/)
  // Customers without deals are counted too, since each of them is a look.
  assert.equal(rowsOf(db, probeSelect(deals, query, sqlite, age, 500))[0]?.[0], 500)
  assert.equal(rowsOf(db, probe)[0]?.[0], ROWS / 50)
  assert.deepEqual(drivingFields(deals, asked(deals, 'customer.country=DE&customer.age.ne=5')), [])
})

test('a tree over customers leads from their indexes', () => {
  const either: Tree = {
    any: [
      [{ field: fieldOf(deals, 'customer.age'), operator: 'eq', values: [31] }],
      [{ field: fieldOf(deals, 'completionDate'), operator: 'eq', values: ['2026-11-13'] }],
    ],
    negated: false,
  }
  const query = { ...asked(deals, ''), filter: [either] }
  assert.deepEqual(drivingTrees(deals, query), [either])
  const plan = planOf(db, select(deals, query, sqlite, { driving: either })).join('\n')
  assert.match(plan, /MULTI-INDEX OR/)
  assert.match(plan, /SEARCH deals USING INDEX deals_customer/)
  assert.match(plan, /SEARCH related USING (COVERING )?INDEX customers_age \(age=\?\)/)
  // No index has the deals without a customer.
  const without: Term = { field: fieldOf(deals, 'customer.age'), operator: 'null', values: [true] }
  assert.deepEqual(drivingTrees(deals, { ...query, filter: [{ ...either, any: [...either.any, [without]] }] }), [])
})

test('related things of many others are read by their keys, the latest from the index on the reference', async () => {
  const plans: string[] = []
  const explain: RunStatement = async ({ text }, ...values) => {
    plans.push(planOf(db, { text, values: values.map(sqlite.toParameter) }).join('\n'))
    return []
  }
  const read = relatedReader(sqlite, explain, explain)
  const relations = [...deals.relations.values(), ...customers.relations.values()]
  for (const relation of relations) await read(relation, [1, 2, 3], 50)
  assert.equal(plans.length, relations.length)
  for (const [at, { kind, of, field }] of relations.entries()) {
    const plan = plans[at] ?? ''
    const name = of.plural
    if (kind === 'one') assert.match(plan, new RegExp(`^SEARCH ${name} USING INTEGER PRIMARY KEY`))
    else {
      const index = `${name}_${field.replace(/Id$/, '')}`
      assert.match(plan, /^SEARCH own USING (INTEGER PRIMARY KEY|(COVERING )?INDEX)/)
      assert.match(plan, new RegExp(`SEARCH ${name} USING INDEX ${index} \\(\\w+=\\?\\)`))
    }
    assert.doesNotMatch(plan, new RegExp(`TEMP B-TREE|SCAN (${name}|deals|customers)`))
  }
})

test('the complement of a tree has the rows that it does not match, nulls included', () => {
  const older: Term = { field: fieldOf(customers, 'age'), operator: 'gte', values: [50] }
  const count = (filter: Filter) =>
    Number(rowsOf(db, countSelect(customers, { ...asked(customers, ''), filter }, sqlite))[0]?.[0])
  const matched = count([{ any: [[older]], negated: false }])
  assert.equal(count([{ any: [[older]], negated: true }]), ROWS - matched)
  assert.equal(count([{ any: [[{ any: [[older]], negated: true }]], negated: true }]), matched)
  assert.equal(count([{ any: [], negated: false }]), 0)
  assert.equal(count([{ any: [[]], negated: false }]), ROWS)
})
