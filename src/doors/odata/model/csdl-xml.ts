import { isDeletion } from '../../../http/respond/replies.ts'
import type { Schema } from '../../../model/schema.ts'
import {
  boundTo,
  type EntityProperty,
  type EntitySet,
  EVENT_DATA,
  entitySetsIn,
  eventDataIn,
  NAMESPACE,
  type Navigated,
  navigated,
  navigationsOf,
  parametersOf,
  setOf,
  typeNamed,
  vocabularies,
} from './entity-sets.ts'

/** The model as CSDL XML. Without `Nullable="false"` a member may be null. */
export function csdlXml(schema: Schema, version: string): string {
  const sets = [...entitySetsIn(schema).values()]
  const types = element('Schema', { Namespace: NAMESPACE, xmlns: 'http://docs.oasis-open.org/odata/ns/edm' }, [
    ...sets.map(entityType),
    element('ComplexType', { Name: EVENT_DATA.slice(NAMESPACE.length + 1), OpenType: 'true' }, [
      ...propertiesOf(eventDataIn(schema)),
    ]),
    ...sets.flatMap(actionsOf),
    element('EntityContainer', { Name: 'Container' }, sets.map(entitySet)),
  ])
  const references = vocabularies.map(({ uri, namespace, alias }) =>
    element('edmx:Reference', { Uri: uri }, [element('edmx:Include', { Namespace: namespace, Alias: alias })]),
  )
  const root = { Version: version, 'xmlns:edmx': 'http://docs.oasis-open.org/odata/ns/edmx' }
  const model = element('edmx:Edmx', root, [...references, element('edmx:DataServices', {}, [types])])
  return `<?xml version="1.0" encoding="utf-8"?>\n${model}\n`
}

type Attributes = { readonly [name: string]: string | number | undefined }

function element(name: string, attributes: Attributes, within: readonly string[] = []): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([attribute, value]) => ` ${attribute}="${escaped(String(value))}"`)
  const start = `<${name}${written.join('')}`
  return within.length === 0 ? `${start}/>` : `${start}>${within.join('')}</${name}>`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const annotation = (term: string, value: Attributes, within: readonly string[] = []): string =>
  element('Annotation', { Term: term, ...value }, within)

const entityType = (set: EntitySet): string =>
  element('EntityType', { Name: set.type }, [
    element('Key', {}, [element('PropertyRef', { Name: set.key })]),
    ...propertiesOf(set.properties),
    ...navigationsOf(set).map((each) => navigationProperty(navigated(set, each))),
  ])

const propertiesOf = (properties: ReadonlyMap<string, EntityProperty>): readonly string[] =>
  [...properties].map(([name, property]) => typed('Property', name, property))

function typed(tag: 'Property' | 'Parameter', name: string, property: EntityProperty, optional = false): string {
  const { type, facets, nullable, computed, allowed } = property
  const notes = [
    ...(computed ? [annotation('Core.Computed', { Bool: 'true' })] : []),
    ...(optional ? [annotation('Core.OptionalParameter', {}, [element('Record', {})])] : []),
    ...(allowed
      ? [annotation('Validation.AllowedValues', {}, [element('Collection', {}, allowed.map(allowedValue))])]
      : []),
  ]
  return element(tag, { Name: name, Type: type, ...(!nullable && { Nullable: 'false' }), ...facets }, notes)
}

const allowedValue = (value: string): string =>
  element('Record', {}, [element('PropertyValue', { Property: 'Value', String: value })])

const navigationProperty = ({ name, many, type, partner, constraint }: Navigated): string =>
  element(
    'NavigationProperty',
    { Name: name, Type: many ? `Collection(${type})` : type, Partner: partner },
    constraint && [
      element('ReferentialConstraint', { Property: constraint.field, ReferencedProperty: constraint.key }),
    ],
  )

function actionsOf(set: EntitySet): readonly string[] {
  const type = typeNamed(set)
  return [...set.actions].map(([name, operation]) => {
    const { name: binding, many } = boundTo(set, operation)
    return element('Action', { Name: name, IsBound: 'true' }, [
      element('Parameter', { Name: binding, Type: many ? `Collection(${type})` : type, Nullable: 'false' }),
      ...parametersOf(operation).map(({ name: param, optional, ...property }) =>
        typed('Parameter', param, property, optional),
      ),
      ...(isDeletion(operation) ? [] : [element('ReturnType', { Type: type, Nullable: 'false' })]),
      annotation('Core.Description', { String: operation.title }),
    ])
  })
}

const entitySet = (set: EntitySet): string =>
  element(
    'EntitySet',
    { Name: set.name, EntityType: typeNamed(set) },
    navigationsOf(set).map(({ name, of }) =>
      element('NavigationPropertyBinding', { Path: name, Target: setOf(of).name }),
    ),
  )
