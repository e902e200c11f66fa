import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { tell } from '../../src/languages/tell.ts'
import type { Collection } from '../../src/queries/collection.ts'
import { dialects } from '../../src/queries/dialects/dialects.ts'
import { filterParameters } from '../../src/queries/dialects/filter-parameters.ts'
import { anyOf, complementOf } from '../../src/queries/expressions/combine.ts'
import { parseQuery } from '../../src/queries/parse/parse-query.ts'
import { type Filter, isTerm } from '../../src/queries/query.ts'
import { otherNamesOf, ownSettingNames, settingNames } from '../../src/queries/settings.ts'
import { queryBounds } from '../../src/values/bounds.ts'
import { fc } from '../support/inputs/fast-check.ts'
import type { Plain } from '../support/inputs/naive-evaluator.ts'
import { customer, deal, dealsCustomer, questions } from '../support/inputs/questions.ts'
import { collections } from '../support/schema.ts'

const { customers, deals } = collections

/** A filter in a notation of its own: `all`, `any` and `none` of what stands in parentheses. */
function told(filter: Filter): string {
  const each = filter.map((condition) => {
    if (isTerm(condition)) return `${condition.field.name} ${condition.operator} ${condition.values.join('|')}`
    return `${condition.negated ? 'none' : 'any'}(${condition.any.map(told).join('; ')})`
  })
  return each.join(', ')
}

/** A term with several patterns is one of alternatives in a dialect that has no list of them. */
function apart(filter: Filter): Filter {
  return filter.flatMap((condition) => {
    if (!isTerm(condition)) {
      const any = anyOf(condition.any.map(apart))
      return condition.negated ? complementOf(any) : any
    }
    const { operator, values } = condition
    if (operator !== 'regex' && operator !== 'like' && operator !== 'null') return [condition]
    return anyOf(values.map((value) => [{ ...condition, values: [value] }]))
  })
}

function meaning(raw: string, collection: Collection = customers): string {
  const parsed = parseQuery(collection, raw)
  assert.ok('query' in parsed, `${raw}: ${JSON.stringify('faults' in parsed && parsed.faults)}`)
  return told(parsed.query.filter)
}

function faultOf(raw: string, collection: Collection = customers): string {
  const parsed = parseQuery(collection, raw)
  assert.ok('faults' in parsed, raw)
  return parsed.faults.map((fault) => `${fault.at.parameter} ${tell(fault)}`)[0] ?? ''
}

const filter = (expression: string): string => `$filter=${encodeURIComponent(expression)}`

suite('logic parameters', () => {
  test('mean what PostgREST means by them', () => {
    const table: readonly (readonly [raw: string, meaning: string])[] = [
      ['or=(age.gte.65,children.gte.3)', 'any(age gte 65; children gte 3)'],
      ['or=%28age.gte.65%2Cchildren.gte.3%29', 'any(age gte 65; children gte 3)'],
      ['and=(age.gte.65,children.neq.3)', 'age gte 65, children ne 3'],
      ['not.and=(age.gte.65,children.ne.3)', 'none(age gte 65, children ne 3)'],
      ['not.or=(age.gte.65,children.ne.3)', 'none(age gte 65; children ne 3)'],
      ['or=(age.eq.1,or(age.eq.2,age.eq.3))', 'any(age eq 1; age eq 2; age eq 3)'],
      [
        'or=(age.eq.1,and(age.gt.2,not.or(age.eq.3,children.lt.4)))',
        'any(age eq 1; age gt 2, none(age eq 3; children lt 4))',
      ],
      ['and=(age.not.eq.1,not.children.in.(1,2))', 'age ne 1, children ne 1|2'],
      ['and=(age.not.gt.1,not.age.not.lt.9)', 'none(age gt 1), age lt 9'],
      [
        'and=(age.is.null,children.is.not_null,country.not.is.null)',
        'age null true, children null false, country null false',
      ],
      [
        'and=(age.null.true,name.regex.^A,name.match.b$,name.imatch.c)',
        'age null true, name regex ^A, name regex b$, name regex (?i)c',
      ],
      ['and=(name.like.A*,name.like.*b%25,name.like.a_c)', 'name regex ^A, name regex b, name regex (?s)^a.c$'],
      ['and=(name.like."a\\\\*b.c",name.like.a*c)', 'name regex ^a\\*b\\.c$, name regex (?s)^a.*c$'],
      ['or=(name.eq."a,(b)",name.in.("c,d",e"f,"g\\"h\\\\"))', 'any(name eq a,(b); name eq c,d|e"f|g"h\\)'],
      ['and=(name.ilike.*MÜL*,name.ilike.a\\*\\%25_)', 'name like %mul%, name like a*\\%_'],
      [
        'or=(name.contains.MÜL,name.starts.a%25,name.not.ends.b)',
        'any(name like %mul%; name like a\\%%; none(name like %b))',
      ],
      ['or=(createdAt.gt.2026-01-01T00:00:00Z,name.eq.a.b)', 'any(createdAt gt 2026-01-01T00:00:00.000Z; name eq a.b)'],
    ]
    for (const [raw, meant] of table) {
      assert.equal(meaning(raw), meant, raw)
    }
    assert.equal(
      meaning('and=(held.is.true,archived.is.false,deleted.eq.false)', deals),
      'held eq true, archived eq false, deleted eq false',
    )
    assert.equal(
      meaning('or=( name.eq.a, not.and( age.gt.1) )'.replaceAll(' ', '%20')),
      'any(name eq a; none(age gt 1))',
    )
  })

  test('say where they are wrong', () => {
    const table: readonly (readonly [raw: string, detail: string])[] = [
      ['or=(age.gtee.5)', 'or at character 6: expected an operator, not "gtee", did you mean gte?'],
      ['or=(name.eq.\u{1F600},agee.gt.5)', 'or at character 12: agee names no field of customers, did you mean age?'],
      ['or=(age.gt.5', 'or at character 10: expected ) for the ( at character 1, not the end'],
      ['or=(age.gt.5))', 'or at character 11: expected the end, not ")"'],
      ['and=age.gt.5', 'and at character 1: expected (, not "age"'],
      ['or', 'or at character 1: expected (, not the end'],
      ['not.or=()', 'not.or at character 2: expected field.operator.value, not ")"'],
      ['or=(age.gt.5,)', 'or at character 11: expected field.operator.value, not ")"'],
      ['or=(age)', 'or at character 5: expected .operator after age, not ")"'],
      ['or=(age.gt)', 'or at character 8: expected .value after gt, not ")"'],
      ['or=(age.gt.x)', 'or at character 9: must be an integer such as 18'],
      ['or=(age.in.(1,x))', 'or at character 12: must be an integer such as 18'],
      ['or=(age.in.1)', 'or at character 9: expected ( before the values of in, not "1"'],
      ['or=(age.is.nul)', 'or at character 9: must be one of null, not_null, true, false'],
      ['or=(name.eq."a)', 'or at character 10: expected a " that closes this one'],
      ['or=(name.eq."a"b)', 'or at character 13: expected , or ) after the closing ", not "b"'],
      ['or=(name.match.()', 'or at character 13: must be a regular expression'],
    ]
    for (const [raw, detail] of table) assert.ok(faultOf(raw).startsWith(detail), `${raw}: ${faultOf(raw)}`)
  })
})

suite('$filter', () => {
  test('means what OData means by it, with its precedence', () => {
    const table: readonly (readonly [expression: string, meaning: string])[] = [
      ["(age ge 65 or children ge 3) and not (country eq 'DE')", 'any(age gte 65; children gte 3), country ne DE'],
      ["age eq 1 or age eq 2 and name eq 'O''Neil'", "any(age eq 1; age eq 2, name eq O'Neil)"],
      ['age eq 1 and age eq 2 or age eq 3', 'any(age eq 1, age eq 2; age eq 3)'],
      ['not (age gt 1) and children lt 2', 'none(age gt 1), children lt 2'],
      ['not (age gt 1 and children lt 2)', 'none(age gt 1, children lt 2)'],
      ['not not (age gt 1)', 'age gt 1'],
      ['not age in (1, 2)', 'age ne 1|2'],
      ['age in (1,null)', 'any(age eq 1; age null true)'],
      ['18 le age and null ne children', 'age gte 18, children null false'],
      ['age eq null or age ne null', 'any(age null true; age null false)'],
      ['age gt 1 eq false', 'none(age gt 1)'],
      [
        "contains(name,'a.b') eq true and startswith(name,'x') and endswith(name, 'y')",
        'name regex a\\.b, name regex ^x, name regex y$',
      ],
      ["not contains(name,'%')", 'none(name regex %)'],
      [
        "contains(tolower(name),'MÜL%') or startswith(toupper(name),tolower('ß'))",
        'any(name like %mul\\%%; name like ss%)',
      ],
      ["endswith(tolower(name),'x') and tolower(name) ne 'ANN'", 'name like %x, none(name like ann)'],
      ["matchesPattern(name,'^A.*e$')", 'name regex ^A.*e$'],
      ['age EQ 1 AND NOT (age IN (2)) Or age Ne NULL', 'any(age eq 1, age ne 2; age null false)'],
      ['createdAt lt 2026-01-01T01:00:00+01:00', 'createdAt lt 2026-01-01T00:00:00.000Z'],
    ]
    for (const [expression, meant] of table) assert.equal(meaning(filter(expression)), meant, expression)
    const of = (expression: string) => meaning(filter(`${expression} and not deleted`), deals)
    const id = '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'
    assert.equal(of('held and not archived'), 'held eq true, archived ne true, deleted ne true')
    assert.equal(of('(held) eq false'), 'held eq false, deleted ne true')
    assert.equal(
      of(`id eq ${id} and price le 1.5 and price gt -2`),
      `id eq ${id}, price lte 1500, price gt -2000, deleted ne true`,
    )
    assert.equal(
      of(`completionDate ge 2026-01-30 or id eq '${id}'`),
      `any(completionDate gte 2026-01-30; id eq ${id}, deleted ne true)`,
    )
    assert.equal(of("stage gt 'lead'"), 'stage gt lead, deleted ne true')
  })

  test('says where it is wrong', () => {
    const table: readonly (readonly [expression: string, detail: string])[] = [
      ['', 'at character 1: expected a field'],
      ['age gte 5', 'at character 5: expected an operator or the end, not "gte", did you mean ge?'],
      ['(age gte 5)', 'at character 6: expected ) for the ( at character 1, not "gte", did you mean ge?'],
      ["age eq '5'", 'at character 8: expected a number without quotes'],
      ['name eq 5', "at character 9: expected a text in '', as in '5'"],
      ['country eq DE', 'at character 12: expected a field'],
      ['age eq children', 'at character 8: expected a value, not the field children'],
      ['age eq 1e2', 'at character 8: must be an integer'],
      ['age', 'at character 1: expected a comparison'],
      [
        'agee eq 1',
        'at character 1: expected a field, a function, a number or a text in \'\', not "agee", did you mean age?',
      ],
      [
        "contians(name,'x')",
        'at character 1: expected a field, a function, a number or a text in \'\', not "contians", did you mean contains?',
      ],
      ["contains('x',name)", 'at character 10: expected a field'],
      ["contains(name,'x'", 'at character 18: expected ) after the arguments, not the end'],
      ["name eq 'a", "at character 9: expected a ' that closes this one"],
      ['age eq 1 and', 'at character 13: expected a field'],
      ['((age eq 1)', 'at character 12: expected ) for the ( at character 1, not the end'],
      ['age eq 1)', 'at character 9: expected an operator or the end, not ")"'],
      ['not age eq 1', 'at character 5: expected ( after not, which binds tighter than a comparison'],
      ['age gt null', 'at character 8: expected a value: nothing is above or below null'],
      ['age in 1', 'at character 8: expected ( before the values of in'],
      ['age in (1,x)', 'at character 11: expected a value'],
      ['age in (1,2.5)', 'at character 11: must be an integer'],
      ['(age gt 1) eq 2', 'at character 15: expected true or false next to a condition'],
    ]
    for (const [expression, detail] of table) {
      assert.ok(
        faultOf(filter(expression)).startsWith(`$filter ${detail}`),
        `${expression}: ${faultOf(filter(expression))}`,
      )
    }
  })
})

test('whole filters hold together with every other, and nothing is merged with what stands inside', () => {
  assert.equal(
    meaning('age=1&age=2&or=(age.eq.3,age.eq.4)&$filter=age+eq+5&and=(age.eq.6)&or=(age.eq.7)&age[gt]=0&age.gt=9'),
    'age eq 1|2, age gt 0, any(age eq 3; age eq 4), age eq 5, age eq 6, age eq 7',
  )
  assert.equal(meaning('or=(deleted.eq.true,held.eq.true)', deals), 'any(deleted eq true; held eq true)')
})

test('what is nested too deep, too long, unbalanced or too large is refused', () => {
  const nested = (depth: number) => `${'('.repeat(depth)}age eq 1${')'.repeat(depth)}`
  const logic = (depth: number) => `or=${'(and'.repeat(depth - 1)}(age.eq.1${')'.repeat(depth)}`
  assert.equal(meaning(filter(nested(10))), 'age eq 1')
  assert.equal(meaning(logic(10)), 'age eq 1')
  assert.equal(faultOf(filter(nested(11))), '$filter at character 11: nests deeper than 10 levels')
  assert.equal(faultOf(logic(11)), 'or at character 41: nests deeper than 10 levels')
  assert.match(faultOf(filter(`${'not '.repeat(11)}(age eq 1)`)), /nests deeper than 10 levels/)
  const terms = Array.from({ length: queryBounds.terms + 1 }, (_, at) => at)
  const most = new RegExp(`exceeds the ${queryBounds.terms} filters`)
  assert.match(faultOf(filter(terms.map((at) => `age eq ${at}`).join(' or '))), most)
  assert.match(faultOf(`or=(${terms.map((at) => `age.eq.${at}`)})`), most)
  assert.match(faultOf(`age=1&or=(${terms.slice(1).map((at) => `age.eq.${at}`)})`), most)
  // Far more than an address can hold, so that anything but linear time would be felt.
  const much = 50_000
  for (const hostile of [
    '(',
    ')',
    'not ',
    "'",
    "''",
    'a',
    'a(',
    '9',
    'age eq 1 and ',
    '-',
    ' ',
    'contains(',
    'tolower(',
    '"',
    '\\',
    ',',
    '.',
    'a.',
    'age in (1,',
  ]) {
    const text = hostile.repeat(much)
    for (const raw of [filter(text), filter(`age eq ${text}`), filter(`name eq '${text}`)])
      assert.ok(faultOf(raw), hostile)
    for (const raw of [
      `or=${encodeURIComponent(text)}`,
      `or=(${encodeURIComponent(text)})`,
      `and=(name.eq."${encodeURIComponent(text)}`,
    ]) {
      assert.ok(faultOf(raw).length < 300, hostile)
    }
  }
  assert.match(faultOf(filter(`age eq ${'9'.repeat(much)}`)), /must be between/)
  assert.match(faultOf(filter(`name eq '${'x'.repeat(much)}'`)), /^\$filter at character 9: must have at most 40000/)
  assert.match(faultOf(`or=(name.eq.${'x'.repeat(much)})`), /^or at character 10: must have at most 40000/)
  assert.match(faultOf(`or=(name.in.("${'x'.repeat(much)}"))`), /^or at character 11: must have at most 40000/)
  assert.match(faultOf(filter(`contains(name,'${'x'.repeat(1000)}')`)), /must have at most 200 characters/)
})

test('a text to match has 200 characters as it was sent, however many the pattern made of it has', () => {
  for (const of of [
    (text: string) => filter(`contains(name,'${text}')`),
    (text: string) => filter(`startswith(name,'${text}')`),
    (text: string) => filter(`endswith(name,'${text}')`),
    (text: string) => filter(`matchesPattern(name,'${text}')`),
    (text: string) => `and=(name.like.${text})`,
    (text: string) => `and=(name.match.${text})`,
    (text: string) => `and=(name.imatch.${text})`,
  ]) {
    assert.match(meaning(of('.'.repeat(200))), /^name regex /)
    assert.match(faultOf(of('.'.repeat(201))), /must have at most 200 characters$/)
  }
  assert.match(meaning(`and=(name.like.${'*'.repeat(200)})`), /^name regex /)
})

for (const [collection, values] of [
  [customers, { ...customer, id: fc.integer({ min: 1, max: 9 }) }],
  [deals, { ...deal, ...dealsCustomer, deleted: fc.boolean() }],
] as const) {
  test(`every filter of ${collection.name} is the same filter in each dialect that can say it`, () => {
    const said = new Set<string>()
    fc.assert(
      fc.property(questions(collection, values as Readonly<Record<string, fc.Arbitrary<Plain>>>), (all) => {
        const raw = all.map(({ address }) => address).join('&')
        const meant = meaning(raw, collection)
        const parsed = parseQuery(collection, raw)
        assert.ok('query' in parsed)
        for (const dialect of dialects) {
          const written: string | undefined = dialect.write?.(collection, parsed.query.filter)
          if (written === undefined) continue
          said.add(dialect.name)
          const again = parseQuery(collection, written)
          assert.ok('query' in again, `${raw}: ${written}: ${JSON.stringify('faults' in again && again.faults)}`)
          assert.equal(told(apart(again.query.filter)), told(apart(parsed.query.filter)), `${meant}: ${written}`)
        }
      }),
      { numRuns: 300 },
    )
    assert.deepEqual(
      [...said].toSorted(),
      dialects
        .filter(({ write }) => write)
        .map(({ name }) => name)
        .toSorted(),
    )
  })
}

suite('settings', () => {
  const asked = (raw: string) => {
    const parsed = parseQuery(customers, raw)
    assert.ok('query' in parsed, `${raw}: ${JSON.stringify('faults' in parsed && parsed.faults)}`)
    const { sort, ...rest } = parsed.query
    return JSON.stringify({ ...rest, sort: sort.map(({ field, descending }) => [field.name, descending]) })
  }
  const values: { readonly [name: string]: readonly [value: string, another: string] } = {
    page: ['3', '4'],
    offset: ['7', '70'],
    maxpagesize: ['20', '200'],
    sort: ['-age', 'age'],
    fields: ['id,age', 'id'],
  }

  test('have the names that other interfaces have for them', () => {
    for (const name of ownSettingNames) {
      for (const other of otherNamesOf(name)) {
        const [value, another] = values[name] ?? []
        if (value === undefined) continue
        assert.equal(asked(`${encodeURIComponent(other)}=${value}`), asked(`${name}=${value}`), other)
        assert.equal(asked(`${other}=${value}&${name}=${value}`), asked(`${name}=${value}`), other)
        assert.match(faultOf(`${name}=${value}&${other}=${another}`), /contradicts/)
        assert.match(faultOf(`${other}=${value}&${other}=${value}`), /must be given once/)
      }
    }
    assert.equal(asked('$count=true'), asked('count=exact'))
    assert.equal(asked('$count=false'), asked(''))
    assert.match(faultOf('$count=false&count=exact'), /contradicts/)
    assert.match(faultOf('page[after]=x&cursor=y'), /contradicts/)
    for (const raw of [
      'limit=0',
      'limit=',
      '$skip=-1',
      'offset=1.5',
      'offset=9007199254740993',
      '$count=yes',
      'offset=5&page=2',
      'skip=5&after=x',
    ]) {
      assert.ok(faultOf(raw), raw)
    }
  })

  test('say the direction of a sort in each way that people know', () => {
    for (const raw of [
      'sort=-age,name',
      'order=age.desc,name',
      'order_by=age+desc,name.asc',
      '$orderby=age desc, name asc',
      'order=age.desc.nullslast,name.nullslast',
    ]) {
      assert.equal(asked(raw), asked('sort=-age,name'), raw)
    }
    assert.match(faultOf('order=age.nullsfirst'), /^order cannot sort the nulls of age first/)
    assert.match(faultOf('sort=-age desc'), /gives two directions/)
    assert.match(faultOf('order=agee.desc'), /cannot sort by agee, did you mean age\?/)
    assert.equal(asked('$select=id, age'), asked('fields=id,age'))
    assert.equal(asked('select=*'), asked(`fields=${customers.columns}`))
  })

  test('are not the name of any field but one, which is told from the setting by its other spellings', () => {
    const same = Object.values(collections).flatMap(({ name, fields }) =>
      [...fields.keys()].filter((field) => settingNames.has(field)).map((field) => `${name}.${field}`),
    )
    assert.deepEqual(same, ['fields.group'])
    const spelled = filterParameters(collections.fields).filter(({ field }) => field.name === 'group')
    assert.ok(spelled.some(({ name }) => name === 'group.eq'))
    assert.ok(!spelled.some(({ name }) => name === 'group'))
  })
})
