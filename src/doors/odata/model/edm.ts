import type { JsonSchema, Kind, KindName } from '../../../values/kinds/kind.ts'
import { MOST_DECIMALS } from '../../../values/kinds/money.ts'
import { choicesOf, ownSchema } from '../../kit/described.ts'

export const NAMESPACE = 'Dealdesk'

/** A type of OData with its facets. */
export interface EdmType {
  readonly type: string
  readonly facets: { readonly [name: string]: number }
  /** The values of a choice. */
  readonly allowed?: readonly string[]
}

/** A property or a parameter. */
export interface Member extends EdmType {
  readonly nullable: boolean
  /** Set by the service or by operations, never directly. */
  readonly computed: boolean
}

export const plainText: EdmType = { type: 'Edm.String', facets: {} }

export const collectionType = (type: string): string => `Collection(${type})`

export const isCollection = ({ type }: EdmType): boolean => type.startsWith('Collection(')

export const edmOfInteger = (maximum: unknown): EdmType => ({
  type: Number(maximum) <= LARGEST_INT32 ? 'Edm.Int32' : INT64,
  facets: {},
})

/** The primitive type of a kind of value; those with parts have structures. */
export const edmOfKind = (kind: Kind<unknown>): EdmType | undefined => byKind[kind.name](ownSchema(kind), kind)

const byKind: Readonly<Record<KindName, (schema: JsonSchema, kind: Kind<unknown>) => EdmType | undefined>> = {
  text: ({ maxLength }) => ({
    ...plainText,
    facets: { ...(typeof maxLength === 'number' && { MaxLength: maxLength }) },
  }),
  choice(_schema, kind) {
    const allowed = choicesOf(kind, MOST_LISTED)
    return { ...plainText, ...(allowed && { allowed }) }
  },
  choices: () => ({ type: collectionType(plainText.type), facets: {} }),
  integer: ({ maximum }) => edmOfInteger(maximum),
  amount({ maximum }, { decimals: scale = MOST_DECIMALS }) {
    const digits = String(Math.trunc(Number(maximum))).length
    return { type: DECIMAL, facets: { Precision: digits + scale, Scale: scale } }
  },
  date: () => ({ type: 'Edm.Date', facets: {} }),
  instant: () => ({ type: 'Edm.DateTimeOffset', facets: { Precision: 3 } }),
  boolean: () => ({ type: 'Edm.Boolean', facets: {} }),
  uuid: () => ({ type: 'Edm.Guid', facets: {} }),
  json: () => undefined,
}

const MOST_LISTED = 50
const INT64 = 'Edm.Int64'
const DECIMAL = 'Edm.Decimal'
const LARGEST_INT32 = 2 ** 31 - 1

/** Whether a double may not hold it: a text if the client asks for IEEE754Compatible. */
export const isWide = ({ type }: EdmType): boolean => type === INT64 || type === DECIMAL
