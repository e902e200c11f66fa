import { isDeletion } from '../../../http/respond/replies.ts'
import type { Schema } from '../../../model/schema.ts'
import type { Json } from '../../../values/kinds/kind.ts'
import { plainText } from './edm.ts'
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

type CsdlMembers = Record<string, Json>

/** The model as CSDL JSON 4.01. Without a type a member is a text, and without `$Nullable` it is never null. */
export function csdlJson(schema: Schema, version: string): string {
  const sets = [...entitySetsIn(schema).values()]
  const members: CsdlMembers = {}
  for (const set of sets) {
    members[set.type] = entityType(set)
    for (const [name, action] of actionsOf(set)) members[name] = [...((members[name] as Json[]) ?? []), action]
  }
  const eventData = propertiesOf(eventDataIn(schema))
  members[EVENT_DATA.slice(NAMESPACE.length + 1)] = { $Kind: 'ComplexType', $OpenType: true, ...eventData }
  members.Container = {
    $Kind: 'EntityContainer',
    ...Object.fromEntries(sets.map((set) => [set.name, entitySet(set)])),
  }
  return JSON.stringify({
    $Version: version,
    $EntityContainer: `${NAMESPACE}.Container`,
    $Reference: Object.fromEntries(
      vocabularies.map(({ uri, namespace, alias }) => [
        uri.replace(/\.xml$/, '.json'),
        { $Include: [{ $Namespace: namespace, $Alias: alias }] },
      ]),
    ),
    [NAMESPACE]: members,
  })
}

function entityType(set: EntitySet): CsdlMembers {
  const navigations = navigationsOf(set).map((each) => [each.name, navigationProperty(navigated(set, each))])
  return {
    $Kind: 'EntityType',
    $Key: [set.key],
    ...propertiesOf(set.properties),
    ...Object.fromEntries(navigations),
  }
}

const propertiesOf = (properties: ReadonlyMap<string, EntityProperty>): CsdlMembers =>
  Object.fromEntries([...properties].map(([name, property]) => [name, propertyMembers(property)]))

function propertyMembers({ type, facets, nullable, computed, allowed }: EntityProperty): CsdlMembers {
  return {
    ...(type !== plainText.type && { $Type: type }),
    ...(nullable && { $Nullable: true }),
    ...Object.fromEntries(Object.entries(facets).map(([name, value]) => [`$${name}`, value])),
    ...(computed && { '@Core.Computed': true }),
    ...(allowed && { '@Validation.AllowedValues': allowed.map((value) => ({ Value: value })) }),
  }
}

function navigationProperty({ many, type, partner, constraint }: Navigated): CsdlMembers {
  return {
    $Kind: 'NavigationProperty',
    $Type: type,
    ...(many ? { $Collection: true } : { $Nullable: true }),
    ...(partner && { $Partner: partner }),
    ...(constraint && { $ReferentialConstraint: { [constraint.field]: constraint.key } }),
  }
}

function actionsOf(set: EntitySet): readonly [string, Json][] {
  return [...set.actions].map(([name, operation]) => {
    const binding = boundTo(set, operation)
    return [
      name,
      {
        $Kind: 'Action',
        $IsBound: true,
        $Parameter: [
          { $Name: binding.name, $Type: typeNamed(set), ...(binding.many && { $Collection: true }) },
          ...parametersOf(operation).map(({ name, optional, ...property }) => ({
            $Name: name,
            ...propertyMembers(property),
            ...(optional && { '@Core.OptionalParameter': {} }),
          })),
        ],
        ...(!isDeletion(operation) && { $ReturnType: { $Type: typeNamed(set) } }),
        '@Core.Description': operation.title,
      },
    ]
  })
}

function entitySet(set: EntitySet): CsdlMembers {
  const bindings = navigationsOf(set).map(({ name, of }) => [name, setOf(of).name])
  return {
    $Collection: true,
    $Type: typeNamed(set),
    ...(bindings.length > 0 && { $NavigationPropertyBinding: Object.fromEntries(bindings) }),
  }
}
