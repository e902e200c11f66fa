import type { Schema } from '../../../model/declaration/schema.ts'
import { isObject } from '../../../values/json/is-object.ts'
import type { Json } from '../../../values/json/json.ts'
import { type Csdl, csdlModel, vocabularies } from './csdl-json.ts'
import { NAMESPACE, plainText } from './edm.ts'

/** The model as CSDL XML, from its elements in JSON. Without `Nullable="false"` a member may be null. */
export function csdlXml(schema: Schema, version: string): string {
  const { entities, complex, sets } = csdlModel(schema)
  const types = element('Schema', { Namespace: NAMESPACE, xmlns: 'http://docs.oasis-open.org/odata/ns/edm' }, [
    ...[...entities.map(({ type }) => type), ...complex].map(([name, csdl]) => typeElement(name, csdl)),
    ...entities.flatMap(({ actions }) => actions).map(([name, csdl]) => actionElement(name, csdl)),
    element(
      'EntityContainer',
      { Name: 'Container' },
      sets.map(([name, csdl]) => setElement(name, csdl)),
    ),
  ])
  const references = vocabularies.map(({ uri, namespace, alias }) =>
    element('edmx:Reference', { Uri: `${uri}.xml` }, [element('edmx:Include', { Namespace: namespace, Alias: alias })]),
  )
  const root = { Version: version, 'xmlns:edmx': 'http://docs.oasis-open.org/odata/ns/edmx' }
  const model = element('edmx:Edmx', root, [...references, element('edmx:DataServices', {}, [types])])
  return `<?xml version="1.0" encoding="utf-8"?>\n${model}\n`
}

function element(name: string, attributes: Partial<Csdl>, within: readonly string[] = []): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([attribute, value]) => ` ${attribute}="${escaped(String(value))}"`)
  const start = `<${name}${written.join('')}`
  return within.length === 0 ? `${start}/>` : `${start}>${within.join('')}</${name}>`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Objects are elements, lists of them are several; what begins with a sign is about the element itself. */
const objectsIn = (json: Json | undefined): readonly Csdl[] =>
  Array.isArray(json) ? json : isObject(json) ? [json as Csdl] : []

function typeElement(name: string, { $Kind, $Key, $OpenType, ...rest }: Csdl): string {
  const members = Object.fromEntries(Object.entries(rest).filter(([member]) => !member.startsWith('@')))
  const keys = Array.isArray($Key)
    ? [
        element(
          'Key',
          {},
          $Key.map((key) => element('PropertyRef', { Name: key })),
        ),
      ]
    : []
  const within = Object.entries(members).flatMap(([member, json]) => objectsIn(json).map((csdl) => typed(csdl, member)))
  return element(String($Kind), { Name: name, OpenType: $OpenType }, [...keys, ...within, ...annotations(rest)])
}

/** A property, a navigation, a parameter or what is returned. */
function typed(csdl: Csdl, name: Json | undefined, tag = String(csdl.$Kind ?? 'Property')): string {
  const { $Type = plainText.type, $Collection, $Nullable, $Partner, $ReferentialConstraint, ...facets } = csdl
  const isNavigation = tag === 'NavigationProperty'
  const attributes = {
    ...{ Name: name, Type: $Collection ? `Collection(${$Type})` : $Type },
    ...{ Nullable: $Nullable || isNavigation ? undefined : 'false', Partner: $Partner },
    ...Object.fromEntries(['MaxLength', 'Precision', 'Scale'].map((facet) => [facet, facets[`$${facet}`]])),
  }
  const constraints = objectsIn($ReferentialConstraint)
    .flatMap((each) => Object.entries(each))
    .map(([Property, ReferencedProperty]) => element('ReferentialConstraint', { Property, ReferencedProperty }))
  return element(tag, attributes, [...constraints, ...annotations(csdl)])
}

function actionElement(name: string, csdl: Csdl): string {
  return element('Action', { Name: name, IsBound: csdl.$IsBound }, [
    ...objectsIn(csdl.$Parameter).map((each) => typed(each, each.$Name, 'Parameter')),
    ...objectsIn(csdl.$ReturnType).map((each) => typed(each, undefined, 'ReturnType')),
    ...annotations(csdl),
  ])
}

function setElement(name: string, { $Type, $NavigationPropertyBinding }: Csdl): string {
  const bindings = objectsIn($NavigationPropertyBinding).flatMap((each) => Object.entries(each))
  return element(
    'EntitySet',
    { Name: name, EntityType: $Type },
    bindings.map(([Path, Target]) => element('NavigationPropertyBinding', { Path, Target })),
  )
}

const annotations = (csdl: Csdl): readonly string[] =>
  Object.entries(csdl)
    .filter(([name]) => name.startsWith('@'))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => annotation(name.slice(1), value))

function annotation(Term: string, value: Json): string {
  if (typeof value === 'boolean') return element('Annotation', { Term, Bool: value })
  if (typeof value === 'string') return element('Annotation', { Term, String: value })
  return element('Annotation', { Term }, [expression(value)])
}

/** A list or a record. */
function expression(value: Json): string {
  if (Array.isArray(value)) return element('Collection', {}, value.map(expression))
  const members = Object.entries(isObject(value) ? (value as Csdl) : {})
  return element(
    'Record',
    {},
    members.map(([Property, member]) => {
      if (typeof member === 'object') return element('PropertyValue', { Property }, [expression(member)])
      return element('PropertyValue', { Property, [Property === 'Name' ? 'PropertyPath' : 'String']: member })
    }),
  )
}
