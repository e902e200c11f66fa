import { actionOf, wordArguments } from '../../../http/describe/vocabulary.ts'
import type { Operation, Schema } from '../../../model/declaration/schema.ts'
import type { Relation } from '../../../model/schema/resources.ts'
import type { Json } from '../../../values/json/json.ts'
import { isCollection, type Member, NAMESPACE, plainText } from './edm.ts'
import {
  aliasOf,
  type EntitySet,
  EVENT_DATA,
  entitySetsIn,
  eventDataIn,
  groupsIn,
  groupType,
  navigationsOf,
  setOf,
  typeNamed,
} from './entity-sets.ts'
import { complexTypesIn, edmOf } from './structures.ts'

export type Csdl = { readonly [name: string]: Json }
type NamedElement = readonly [name: string, csdl: Csdl]

/** The elements of the model, each as CSDL JSON. Without a type a member is a text; without `$Nullable` it is never null. */
export interface CsdlModel {
  readonly entities: readonly { readonly type: NamedElement; readonly actions: readonly NamedElement[] }[]
  readonly complex: readonly NamedElement[]
  readonly sets: readonly NamedElement[]
}

export function csdlModel(schema: Schema): CsdlModel {
  const sets = [...entitySetsIn(schema).values()]
  return {
    entities: sets.map((set) => ({
      type: [set.type, entityType(set)],
      actions: [...set.actions].map(([name, operation]) => [name, action(set, operation)]),
    })),
    complex: [
      complexType(EVENT_DATA, { $OpenType: true, ...propertiesOf(eventDataIn(schema)) }),
      ...schema.resources.flatMap((resource) =>
        [...groupsIn(resource)].map(([group, members]) =>
          complexType(groupType(resource, group), propertiesOf(members)),
        ),
      ),
      ...complexTypesIn(schema).map(({ name, isOpen, members }) =>
        complexType(name, { ...(isOpen && { $OpenType: true }), ...propertiesOf(members) }),
      ),
    ],
    sets: sets.map((set) => [set.name, entitySet(set)]),
  }
}

const complexType = (name: string, members: Csdl): NamedElement => [
  name.slice(NAMESPACE.length + 1),
  { $Kind: 'ComplexType', ...members },
]

/** The model as CSDL JSON 4.01; actions with the same name are grouped. */
export function csdlJson(schema: Schema, version: string): string {
  const { entities, complex, sets } = csdlModel(schema)
  const all = entities.flatMap(({ type, actions }) => [type, ...actions])
  const members = [...Map.groupBy(all, ([name]) => name)].map(([name, same]) => {
    const elements = same.map(([, csdl]) => csdl)
    return [name, elements[0]?.$Kind === 'Action' ? elements : elements[0]]
  })
  return JSON.stringify({
    $Version: version,
    $EntityContainer: `${NAMESPACE}.Container`,
    $Reference: Object.fromEntries(
      vocabularies.map(({ uri, namespace, alias }) => [
        `${uri}.json`,
        { $Include: [{ $Namespace: namespace, $Alias: alias }] },
      ]),
    ),
    [NAMESPACE]: {
      ...Object.fromEntries([...members, ...complex]),
      Container: { $Kind: 'EntityContainer', ...Object.fromEntries(sets) },
    },
  })
}

const VOCABULARIES = 'https://oasis-tcs.github.io/odata-vocabularies/vocabularies'

/** The vocabularies whose terms the model is annotated with. */
export const vocabularies = ['Core', 'Validation'].map((alias) => {
  const namespace = `Org.OData.${alias}.V1`
  return { namespace, alias, uri: `${VOCABULARIES}/${namespace}` }
})

function entityType(set: EntitySet): Csdl {
  const navigations = navigationsOf(set).map((each) => [each.name, navigationProperty(set, each)])
  const alternate = (set.resource?.uniques ?? []).map((field) => ({
    Key: [{ Name: field.replace('.', '/'), Alias: aliasOf(field) }],
  }))
  return {
    $Kind: 'EntityType',
    $Key: [set.key],
    ...propertiesOf(set.properties),
    ...Object.fromEntries(navigations),
    ...(alternate.length > 0 && { '@Core.AlternateKeys': alternate }),
  }
}

const propertiesOf = (properties: ReadonlyMap<string, Member>): Csdl =>
  Object.fromEntries([...properties].map(([name, property]) => [name, propertyMembers(property)]))

function propertyMembers({ type, facets, nullable, computed, allowed }: Member): Csdl {
  const [, item] = /^Collection\((.*)\)$/.exec(type) ?? []
  return {
    ...(item !== undefined && { $Collection: true }),
    ...((item ?? type) !== plainText.type && { $Type: item ?? type }),
    ...(nullable && { $Nullable: true }),
    ...Object.fromEntries(Object.entries(facets).map(([name, value]) => [`$${name}`, value])),
    ...(computed && { '@Core.Computed': true }),
    ...(allowed && { '@Validation.AllowedValues': allowed.map((value) => ({ Value: value })) }),
  }
}

function navigationProperty({ resource }: EntitySet, { kind, field, of }: Relation): Csdl {
  const target = setOf(of)
  const partner = navigationsOf(target).find(
    (back) => back.of === resource && back.field === field && back.kind !== kind,
  )
  return {
    $Kind: 'NavigationProperty',
    $Type: typeNamed(target),
    ...(kind === 'many' ? { $Collection: true } : { $Nullable: true }),
    ...(partner && { $Partner: partner.name }),
    ...(kind === 'one' && { $ReferentialConstraint: { [field]: target.key } }),
  }
}

/** Bound to the entity, which stands for the id, or to the set for a creation. */
function action(set: EntitySet, operation: Operation): Csdl {
  const { on, to, title } = operation
  const $Type = typeNamed(set)
  const { places, leaves } = actionOf(operation)
  const sent = [...places.plain.map(({ member }) => member).filter(({ name }) => name !== 'id'), ...wordArguments]
  return {
    $Kind: 'Action',
    $IsBound: true,
    $Parameter: [
      to === 'nothing' ? { $Name: on.plural, $Type, $Collection: true } : { $Name: on.name, $Type },
      ...sent.map(({ name, kind, required }) => {
        const edm = edmOf(kind, on.name, name)
        const nullable = !isCollection(edm) && (kind.nullable || !required)
        return {
          $Name: name,
          ...propertyMembers({ ...edm, nullable, computed: false }),
          ...(!required && { '@Core.OptionalParameter': {} }),
        }
      }),
      ...places.groups.map(({ name }) => ({
        $Name: name,
        ...propertyMembers({ type: groupType(on, name), facets: {}, nullable: true, computed: false }),
        '@Core.OptionalParameter': {},
      })),
    ],
    ...(leaves === 'thing' && { $ReturnType: { $Type } }),
    '@Core.Description': title,
  }
}

function entitySet(set: EntitySet): Csdl {
  const bindings = navigationsOf(set).map(({ name, of }) => [name, setOf(of).name])
  return {
    $Collection: true,
    $Type: typeNamed(set),
    ...(bindings.length > 0 && { $NavigationPropertyBinding: Object.fromEntries(bindings) }),
  }
}
