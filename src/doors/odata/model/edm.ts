import type { Kind } from '../../../values/kinds/kind.ts'
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

export function edmOfKind(kind: Kind<unknown>): EdmType | undefined {
  const schema = ownSchema(kind)
  switch (kind.name) {
    case 'text':
      return { ...plainText, facets: { ...(typeof schema.maxLength === 'number' && { MaxLength: schema.maxLength }) } }
    case 'choice': {
      const allowed = choicesOf(kind, MOST_LISTED)
      return { ...plainText, ...(allowed && { allowed }) }
    }
    case 'choices':
      return { type: collectionType(plainText.type), facets: {} }
    case 'integer':
      return edmOfInteger(schema.maximum)
    case 'amount': {
      const scale = kind.decimals ?? MOST_DECIMALS
      const digits = String(Math.trunc(Number(schema.maximum))).length
      return { type: DECIMAL, facets: { Precision: digits + scale, Scale: scale } }
    }
    case 'date':
      return { type: 'Edm.Date', facets: {} }
    case 'instant':
      return { type: 'Edm.DateTimeOffset', facets: { Precision: 3 } }
    case 'boolean':
      return { type: 'Edm.Boolean', facets: {} }
    case 'uuid':
      return { type: 'Edm.Guid', facets: {} }
    case 'json':
      return undefined
  }
}

const MOST_LISTED = 50
const INT64 = 'Edm.Int64'
const DECIMAL = 'Edm.Decimal'
const LARGEST_INT32 = 2 ** 31 - 1

/** Whether a double may not hold it: a text if the client asks for IEEE754Compatible. */
export const isWide = ({ type }: EdmType): boolean => type === INT64 || type === DECIMAL
