import type { Schema } from '../../../model/declaration/schema.ts'
import { isObject } from '../../../values/json/is-object.ts'
import type { Kind } from '../../../values/kinds/kind.ts'
import { pascalCase } from '../../../values/letter-case.ts'
import { ownSchema } from '../../kit/described.ts'
import { collectionType, type EdmType, edmOfInteger, edmOfKind, type Member, NAMESPACE, plainText } from './edm.ts'

// OData 4.0 has no type for any value, so values with parts have complex types, from their JSON Schemas. An object whose
// members are named by others is open, and so is one with a member of several types.

export interface ComplexType {
  readonly name: string
  readonly isOpen: boolean
  readonly members: ReadonlyMap<string, Member>
}

/** Objects of texts whose names are not declared, such as titles by language. */
const TEXTS: ComplexType = { name: `${NAMESPACE}.Texts`, isOpen: true, members: new Map() }

interface Structure {
  readonly edm: EdmType
  /** The complex types that it needs. */
  readonly types: readonly ComplexType[]
}

/** The type of a field or a parameter of a resource. */
export const edmOf = (kind: Kind<unknown>, owner: string, member: string): EdmType =>
  edmOfKind(kind) ?? structureOf(kind, owner, member).edm

/** The type of a member with parts, and those of its parts; a complex type is named after the way to it. */
const structureOf = (kind: Kind<unknown>, owner: string, member: string): Structure =>
  structureIn(ownSchema(kind), pascalCase(owner) + pascalCase(member)) ?? textual

const textual: Structure = { edm: plainText, types: [] }

/** Undefined for a value of several types. */
function structureIn(schema: object, name: string): Structure | undefined {
  const { type, properties, items, maximum, maxLength } = schema as { readonly [keyword: string]: unknown }
  const single = Array.isArray(type) ? type.filter((each) => each !== 'null') : [type]
  switch (single.length === 1 ? single[0] : undefined) {
    case 'string':
      return { edm: { ...plainText, facets: typeof maxLength === 'number' ? { MaxLength: maxLength } : {} }, types: [] }
    case 'integer':
      return { edm: edmOfInteger(maximum), types: [] }
    case 'boolean':
      return { edm: { type: 'Edm.Boolean', facets: {} }, types: [] }
    case 'array': {
      const of = structureIn(isObject(items) ? items : {}, name.replace(/s$/, ''))
      return of && { edm: { type: collectionType(of.edm.type), facets: {} }, types: of.types }
    }
    case 'object':
      return isObject(properties) ? objectOf(schema, properties, `${NAMESPACE}.${name}`) : inside(TEXTS, [])
    default:
      return undefined
  }
}

function objectOf(schema: object, properties: object, name: string): Structure {
  const { required = [] } = schema as { readonly required?: readonly string[] }
  const parts = Object.entries(properties).map(([member, part]) => ({
    member,
    structure: structureIn(part, name.slice(NAMESPACE.length + 1) + pascalCase(member)),
  }))
  const members = parts.flatMap(({ member, structure }): (readonly [string, Member])[] =>
    structure === undefined
      ? []
      : [[member, { ...structure.edm, nullable: !required.includes(member), computed: false }]],
  )
  const type = { name, isOpen: members.length < parts.length, members: new Map(members) }
  return inside(
    type,
    parts.flatMap(({ structure }) => structure?.types ?? []),
  )
}

const inside = (type: ComplexType, others: readonly ComplexType[]): Structure => ({
  edm: { type: type.name, facets: {} },
  types: [...others, type],
})

/** Every complex type of the fields and parameters of a schema. */
export function complexTypesIn({ resources, operations }: Schema): readonly ComplexType[] {
  const found = new Map<string, ComplexType>()
  const add = (kind: Kind<unknown>, owner: string, member: string): void => {
    if (kind.name === 'json') for (const type of structureOf(kind, owner, member).types) found.set(type.name, type)
  }
  for (const { name, fields } of resources)
    for (const [member, { kind }] of Object.entries(fields)) add(kind, name, member)
  for (const { on, params } of operations)
    for (const [member, { kind }] of Object.entries(params))
      if (!Object.hasOwn(on.fields, member)) add(kind, on.name, member)
  return [...found.values()]
}
