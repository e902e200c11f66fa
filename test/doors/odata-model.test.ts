import assert from 'node:assert/strict'
import { test } from 'node:test'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { csdlJson } from '../../src/doors/odata/model/csdl-json.ts'
import { csdlXml } from '../../src/doors/odata/model/csdl-xml.ts'
import { pascalCase } from '../../src/values/letter-case.ts'
import { schema as model, resources } from '../support/schema.ts'

// The rules of CSDL 4.01 that a document can break: everything that is named must be there. `npm run test:long -- cap` has
// the same model read by the importer of CAP.

/** An element by its attributes and what is within; every element that may repeat is a list. */
interface Element {
  readonly Name: string
  readonly Type: string
  readonly [member: string]: unknown
}

const repeating = new Set(
  'EntityType ComplexType Property NavigationProperty Action Parameter EntitySet PropertyRef Annotation ReferentialConstraint NavigationPropertyBinding'.split(
    ' ',
  ),
)

function parsed() {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    isArray: (name, _path, _isLeaf, isAttribute) => !isAttribute && repeating.has(name),
  })
  const { 'edmx:Edmx': edmx } = parser.parse(csdlXml(model, '4.0'))
  return { edmx, schema: edmx['edmx:DataServices'].Schema as Element }
}

const within = (element: Element | undefined, name: string): readonly Element[] =>
  (element?.[name] as readonly Element[] | undefined) ?? []

const primitive = /^Edm\.(String|Int32|Int64|Decimal|Date|DateTimeOffset|Boolean|Guid)$/

test('the model is well-formed XML of the version that was asked for', () => {
  assert.equal(XMLValidator.validate(csdlXml(model, '4.0')), true)
  assert.equal(parsed().edmx.Version, '4.0')
  assert.match(csdlXml(model, '4.01'), /<edmx:Edmx Version="4.01"/)
})

test('everything that the model names is in it', () => {
  const { edmx, schema } = parsed()
  const entities = new Map(within(schema, 'EntityType').map((type) => [`Dealdesk.${type.Name}`, type]))
  const types = new Map([
    ...entities,
    ...within(schema, 'ComplexType').map((type) => [`Dealdesk.${type.Name}`, type] as const),
  ])
  const isKnown = (type: string): boolean => {
    const item = type.replace(/^Collection\((.*)\)$/, '$1')
    return primitive.test(item) || types.has(item)
  }
  const properties = (type: string, kind = 'Property') =>
    within(types.get(type.replace(/^Collection\((.*)\)$/, '$1')), kind).map(({ Name }) => Name)
  for (const [name, type] of types) {
    const all = [...within(type, 'Property'), ...within(type, 'NavigationProperty')]
    assert.equal(new Set(all.map(({ Name }) => Name)).size, all.length, `${name} has each name once`)
    for (const { Name, Type } of all) assert.ok(isKnown(Type), `${name}/${Name} is of ${Type}`)
    for (const { Name } of within(type.Key as Element | undefined, 'PropertyRef')) {
      const key = within(type, 'Property').find((property) => property.Name === Name)
      assert.equal(key?.Nullable, 'false', `the key of ${name} is one of its properties`)
    }
    for (const navigation of within(type, 'NavigationProperty')) {
      const { Partner } = navigation
      if (Partner !== undefined) {
        const back = within(types.get(navigation.Type.replace(/^Collection\((.*)\)$/, '$1')), 'NavigationProperty')
        assert.match(String(back.find(({ Name }) => Name === Partner)?.Type), new RegExp(`\\b${name}\\b`))
      }
      for (const { Property, ReferencedProperty } of within(navigation, 'ReferentialConstraint')) {
        assert.ok(properties(name).includes(String(Property)))
        assert.ok(properties(navigation.Type).includes(String(ReferencedProperty)))
      }
    }
  }
  for (const type of entities.values()) assert.ok(type.Key, `${type.Name} has a key`)
  const sets = within(schema.EntityContainer as Element, 'EntitySet')
  assert.equal(sets.length, entities.size)
  for (const set of sets) {
    assert.ok(entities.has(String(set.EntityType)))
    const bound = within(set, 'NavigationPropertyBinding')
    assert.deepEqual(
      bound.map(({ Path }) => Path),
      properties(String(set.EntityType), 'NavigationProperty'),
    )
    for (const { Target } of bound) assert.ok(sets.some(({ Name }) => Name === Target))
  }
  const seen = new Set<string>()
  for (const action of within(schema, 'Action')) {
    const [binding, ...others] = within(action, 'Parameter')
    assert.ok(binding && entities.has(binding.Type.replace(/^Collection\((.*)\)$/, '$1')))
    const overload = `${action.Name} of ${binding.Type}`
    assert.ok(!seen.has(overload), overload)
    seen.add(overload)
    const names = [binding, ...others].map(({ Name }) => Name)
    assert.equal(new Set(names).size, names.length, `${overload} has each parameter once`)
    for (const { Name, Type } of others) assert.ok(isKnown(Type), `${overload} takes ${Name} of ${Type}`)
    const returned = (action.ReturnType as Element | undefined)?.Type
    assert.ok(returned === undefined || entities.has(returned))
  }
  const aliases = edmx['edmx:Reference'].map((each: Record<string, Element>) => each['edmx:Include']?.Alias)
  for (const [, alias] of csdlXml(model, '4.0').matchAll(/Term="(\w+)\./g)) assert.ok(aliases.includes(alias))
})

test('every operation is an action, and money has its decimals', () => {
  const { schema } = parsed()
  const actions = within(schema, 'Action').map((action) => `${action.Name} ${within(action, 'Parameter')[0]?.Type}`)
  const expected = resources.flatMap((resource) =>
    resource.operations.map(({ name, to }) => {
      const type = `Dealdesk.${pascalCase(resource.name)}`
      return `${pascalCase(name)} ${to === 'nothing' ? `Collection(${type})` : type}`
    }),
  )
  assert.deepEqual(actions, expected)
  const deal = within(schema, 'EntityType').find(({ Name }) => Name === 'Deal')
  const of = (name: string) => within(deal, 'Property').find(({ Name }) => Name === name)
  assert.partialDeepStrictEqual(of('price'), { Type: 'Edm.Decimal', Scale: '3', Precision: '16', Nullable: 'false' })
  assert.partialDeepStrictEqual(of('id'), { Type: 'Edm.Guid' })
  assert.partialDeepStrictEqual(of('completionDate'), { Type: 'Edm.Date' })
  assert.equal(of('completionDate')?.Nullable, undefined)
  assert.partialDeepStrictEqual(of('createdAt'), { Type: 'Edm.DateTimeOffset', Precision: '3' })
  assert.partialDeepStrictEqual(of('customerId'), { Type: 'Edm.Int64' })
})

test('a unique field is an alternate key', () => {
  const { schema } = parsed()
  const deal = within(schema, 'EntityType').find(({ Name }) => Name === 'Deal')
  const [annotation] = within(deal, 'Annotation')
  assert.equal(annotation?.Term, 'Core.AlternateKeys')
  assert.match(
    csdlXml(model, '4.0'),
    /Property="Name" PropertyPath="reference"\/><PropertyValue Property="Alias" String="reference"/,
  )
  assert.deepEqual(JSON.parse(csdlJson(model, '4.01')).Dealdesk.Deal['@Core.AlternateKeys'], [
    { Key: [{ Name: 'reference', Alias: 'reference' }] },
  ])
})

test('a value with parts has a complex type, which is open if its members are not all declared', () => {
  const { schema } = parsed()
  const properties = Object.fromEntries(
    within(schema, 'EntityType')
      .filter(({ Name }) => Name === 'Field' || Name === 'Pipeline')
      .flatMap((type) => within(type, 'Property').map(({ Name, Type }) => [`${type.Name}/${Name}`, Type])),
  )
  assert.partialDeepStrictEqual(properties, {
    'Field/titles': 'Dealdesk.Texts',
    'Field/options': 'Dealdesk.FieldOptions',
    'Field/repeats': 'Collection(Dealdesk.FieldRepeat)',
    'Pipeline/stages': 'Collection(Dealdesk.PipelineStage)',
    'Pipeline/lostReasons': 'Collection(Edm.String)',
  })
  const complex = new Map(within(schema, 'ComplexType').map((type) => [type.Name, type]))
  const open = [...complex.values()].flatMap(({ Name, OpenType }) => (OpenType === 'true' ? [Name] : []))
  assert.deepEqual(open, ['EventData', 'Texts', 'FieldRepeat'])
  const stage = Object.fromEntries(
    within(complex.get('PipelineStage'), 'Property').map(({ Name, Type }) => [Name, Type]),
  )
  assert.partialDeepStrictEqual(stage, {
    name: 'Edm.String',
    titles: 'Dealdesk.Texts',
    likelihood: 'Edm.Int32',
    requires: 'Collection(Edm.String)',
    closing: 'Edm.Boolean',
  })
})

test('the model in JSON says the same', () => {
  const { schema } = parsed()
  const { $Version, $EntityContainer, Dealdesk } = JSON.parse(csdlJson(model, '4.01'))
  assert.equal($Version, '4.01')
  assert.equal($EntityContainer, 'Dealdesk.Container')
  for (const type of [...within(schema, 'EntityType'), ...within(schema, 'ComplexType')]) {
    const json = Dealdesk[type.Name]
    for (const property of within(type, 'Property')) {
      const { $Type = 'Edm.String', $Collection = false, $Nullable = false, $Scale } = json[property.Name]
      assert.equal($Collection ? `Collection(${$Type})` : $Type, property.Type)
      assert.equal($Nullable, property.Nullable !== 'false', `${type.Name}/${property.Name}`)
      assert.equal(String($Scale), String(property.Scale))
    }
    for (const navigation of within(type, 'NavigationProperty')) {
      const { $Type, $Collection = false } = json[navigation.Name]
      assert.equal($Collection ? `Collection(${$Type})` : $Type, navigation.Type)
    }
  }
  for (const { Name } of within(schema, 'Action')) assert.ok(Array.isArray(Dealdesk[Name]))
  for (const { Name, EntityType } of within(schema.EntityContainer as Element, 'EntitySet')) {
    assert.equal(Dealdesk.Container[Name].$Type, EntityType)
  }
})
