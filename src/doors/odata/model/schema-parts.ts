import type { Relation } from '../../../model/resources.ts'
import type { Operation } from '../../../model/schema.ts'
import { words } from '../../kit/around.ts'
import { type EdmType, edmOf } from './edm.ts'
import { type EntityProperty, type EntitySet, navigationsOf, setOf, typeNamed } from './entity-sets.ts'

const VOCABULARIES = 'https://oasis-tcs.github.io/odata-vocabularies/vocabularies'

/** The vocabularies whose terms the model is annotated with. */
export const vocabularies = [
  { namespace: 'Org.OData.Core.V1', alias: 'Core', uri: `${VOCABULARIES}/Org.OData.Core.V1.xml` },
  { namespace: 'Org.OData.Validation.V1', alias: 'Validation', uri: `${VOCABULARIES}/Org.OData.Validation.V1.xml` },
] as const

/** A navigation property as both formats of the model say it. */
export interface Navigated {
  readonly name: string
  readonly many: boolean
  readonly type: string
  readonly partner?: string
  /** The property that holds the key of the other entity. */
  readonly constraint?: { readonly field: string; readonly key: string }
}

export function navigated({ resource }: EntitySet, { name, kind, field, of }: Relation): Navigated {
  const target = setOf(of)
  const many = kind === 'many'
  const partner = navigationsOf(target).find(
    (back) => back.of === resource && back.field === field && back.kind !== kind,
  )
  return {
    name,
    many,
    type: typeNamed(target),
    ...(partner && { partner: partner.name }),
    ...(!many && { constraint: { field, key: target.key } }),
  }
}

/** A parameter of an action, after the one that it is bound to. */
export interface ActionParameter extends EntityProperty {
  readonly name: string
  readonly optional: boolean
}

/** Those of the operation, and the words that speak of the write itself. */
export const parametersOf = ({ params }: Operation): readonly ActionParameter[] => [
  ...Object.entries(params).map(([name, { kind, required }]) => ({
    ...{ name, ...edmOf(kind), nullable: kind.nullable || !required, computed: false, optional: !required },
  })),
  ...words.map((name) => ({ name, ...wordTypes[name], nullable: true, computed: false, optional: true })),
]

const wordTypes: { readonly [word in (typeof words)[number]]: EdmType } = {
  commandId: { type: 'Edm.String', facets: { MaxLength: 128 } },
  expectedRevision: { type: 'Edm.Int32', facets: {} },
  dryRun: { type: 'Edm.Boolean', facets: {} },
}

/** The parameter that an action is bound to: the entity, or the set for a creation. */
export const boundTo = (
  { resource }: EntitySet,
  { to }: Operation,
): { readonly name: string; readonly many: boolean } =>
  to === 'nothing' ? { name: resource?.plural ?? '', many: true } : { name: resource?.name ?? '', many: false }
