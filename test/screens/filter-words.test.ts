import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { anybody, readerWith } from '../../src/languages/reader.ts'
import { dialects } from '../../src/queries/dialects/dialects.ts'
import { parseQuery, readFilterParameter } from '../../src/queries/parse/parse-query.ts'
import { isTerm } from '../../src/queries/query.ts'
import { readQueryString } from '../../src/queries/query-string.ts'
import { filterWords } from '../../src/screens/filters/filter-words.ts'
import { collections } from '../support/schema.ts'

const words = (collection: 'customers' | 'deals', query: string, reader = anybody): string => {
  const [parameter] = readQueryString(query).parameters
  const read = parameter && readFilterParameter(collections[collection], parameter)
  assert.ok(read !== undefined && !('fault' in read), query)
  return filterWords(read)(reader)
}

suite('a filter in words', () => {
  test('is the same however it was written', () => {
    for (const [said, ...spellings] of [
      [
        'Age at least 18',
        ...['age>=18', 'age%3E%3D18', 'age.gte=18', 'min-age=18', 'age[gte]=18', 'filter[age][gte]=18'],
        ...['and=(age.gte.18)', '$filter=age+ge+18', 'filter={"age":{"gte":18}}'],
      ],
      ['Age more than 18', 'age>18', 'age%3E18=', 'age.gt=18', '$filter=age+gt+18'],
      [
        'Country is Germany',
        'country=DE',
        'country.eq=DE',
        'country[]=DE',
        'or=(country.eq.DE)',
        "$filter=country+eq+'DE'",
      ],
      [
        'Country is Germany, France or Sweden',
        'country.in=DE,FR,SE',
        'filter[country]=DE,FR,SE',
        "$filter=country in ('DE','FR','SE')",
      ],
      [
        'Country is not Germany',
        'country!=DE',
        'country.ne=DE',
        "$filter=not (country eq 'DE')",
        'not.or=(country.eq.DE)',
      ],
      [
        'Age at least 65 or children at least 3',
        ...['or=(age.gte.65,children.gte.3)', '$filter=age+ge+65+or+children+ge+3'],
        'filter={"or":[{"age":{"gte":65}},{"children":{"gte":3}}]}',
      ],
      [
        'Name contains muller',
        'name.contains=Müller',
        'name[contains]=MULLER',
        "$filter=contains(tolower(name),'muller')",
      ],
      ['Name starts with 50%', 'name.starts=50%25', 'and=(name.ilike.50\\%25*)'],
      ['Email is empty', 'email.null=true', 'and=(email.is.null)', '$filter=email eq null'],
    ] as const) {
      for (const spelling of spellings) {
        assert.equal(words('customers', spelling), said, spelling)
      }
    }
  })

  test('tells of trees, related things and every kind of value', () => {
    for (const [query, said] of [
      ['customer.country=DE', "Customer's country is Germany"],
      ['customer.age.gte=18', "Customer's age at least 18"],
      ['held=true', 'On hold'],
      ['held=false', 'Not on hold'],
      ['deleted.in=true,false', 'Deleted is yes or no'],
      ['price.lt=10.5', 'Price less than 10.5'],
      ['completionDate.lte=2026-12-01', 'Expected close until 1 Dec 2026'],
      ['stage>=proposal', 'Stage from Proposal'],
      ['description=', 'Description is empty'],
      ['name.regex=^A', 'Name matches ^A'],
      ['owner=me', 'Owner is me'],
      ['q=Ann Müller', 'Has “ann” and has “muller”'],
      ['or=(price.gt.9,and(held.is.true,stage.eq.lead))', 'Price more than 9 or (on hold and stage is Lead)'],
      ['and=(price.gt.9,or(held.is.true,stage.eq.lead))', 'Price more than 9 and (on hold or stage is Lead)'],
      ['not.or=(price.gt.9,stage.eq.lead)', 'Not (price more than 9 or stage is Lead)'],
      ['name.in=a,b,c,d,e,f,g', 'Name is a, b, c, d, e or 2 others'],
      ['filter={"or":[]}', 'Nothing'],
      ['filter={}', 'Anything'],
    ] as const) {
      assert.equal(words('deals', query), said)
    }
  })

  test("is said in the reader's language, with its nouns, dates and numbers", () => {
    for (const [locale, query, said] of [
      ['de-DE', 'completionDate.lte=2026-12-01', 'Erwarteter Abschluss: bis 01.12.2026'],
      ['de-DE', 'price.gte=10000.5', 'Preis: mindestens 10.000,5'],
      ['de-DE', 'owner=me', 'Zuständig: ich'],
      ['de-DE', 'customer.country=DE', 'Kunde: Land: Deutschland'],
      ['de-DE', 'or=(stage.eq.lead,held.is.true)', 'Phase: Lead oder Zurückgestellt'],
      ['de-DE', 'held=false', 'Nicht Zurückgestellt'],
      ['de-DE', 'name.in=a,b,c,d,e,f,g', 'Name: a, b, c, d, e oder 2 andere'],
      ['fr', 'or=(stage.eq.contract,price.lt.5)', 'Étape\u00a0: Contrat ou prix\u00a0: moins de 5'],
      ['es', 'q=Ann', 'Contiene «ann»'],
    ] as const) {
      assert.equal(words('deals', query, readerWith({ locale })), said)
    }
  })

  test('is the same after a dialect wrote it', () => {
    for (const query of [
      'or=(price.gt.9,and(held.is.true,name.ilike.*ann*))',
      "$filter=customer/age ge 18 and not (stage eq 'lead' or price lt 1)",
    ]) {
      const parsed = parseQuery(collections.deals, `${query}&deleted=false`)
      assert.ok('query' in parsed)
      const tree = parsed.query.filter.find((each) => !isTerm(each))
      assert.ok(tree)
      for (const { write } of dialects) {
        const written: string | undefined = write?.(collections.deals, [tree])
        if (written !== undefined) assert.equal(words('deals', written), filterWords(tree)(anybody), written)
      }
    }
  })
})
