import { type Kind, nullable } from '../../values/kinds/kind.ts'
import { boolean, integer } from '../../values/kinds/number.ts'
import { choice, text } from '../../values/kinds/text.ts'
import { date, instant } from '../../values/kinds/time.ts'
import { type Field, given } from '../field.ts'

/** A field that is not declared in the source: plain data, because every thread and instance builds its own schema. */
export interface AddedField {
  /** The name of its resource. */
  readonly on: string
  readonly name: string
  readonly kind: AddedKind
}

type AddedKind =
  | { readonly name: 'text'; readonly max: number }
  | { readonly name: 'choice'; readonly values: readonly string[] }
  | { readonly name: 'integer' | 'boolean' | 'date' | 'instant' }

/** It is never required, because existing things have no value. */
export const fieldAdded = ({ kind }: AddedField): Field => given(nullable(kindAdded(kind)), null)

function kindAdded(kind: AddedKind): Kind<unknown> {
  if (kind.name === 'text') return text({ min: 1, max: kind.max })
  if (kind.name === 'choice') return choice(kind.values)
  return plainKinds[kind.name]
}

const plainKinds: Readonly<Record<'integer' | 'boolean' | 'date' | 'instant', Kind<unknown>>> = {
  integer: integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
  boolean,
  date,
  instant,
}
