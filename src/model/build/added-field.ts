import { email } from '../../values/kinds/email.ts'
import { type Kind, nullable } from '../../values/kinds/kind.ts'
import { boolean, integer } from '../../values/kinds/number.ts'
import { choice, text } from '../../values/kinds/text.ts'
import { date, instant } from '../../values/kinds/time.ts'
import { type Field, given } from '../field.ts'

/** The kinds of added fields. */
export const addedKinds = [
  'text',
  'choice',
  'choices',
  'integer',
  'number',
  'amount',
  'boolean',
  'date',
  'instant',
  'user',
  'link',
  'url',
  'email',
  'phone',
] as const
export type AddedKind = (typeof addedKinds)[number]

/** A field that is not declared in the source: plain data, because every thread and instance builds its own schema. */
export interface AddedField {
  /** The id of the thing that it is made of. */
  readonly id?: string
  /** The name of its resource. */
  readonly on: string
  readonly name: string
  readonly title: string
  /** Its title in other languages. */
  readonly titles?: Readonly<Record<string, string>>
  readonly help?: string | null
  readonly kind: AddedKind
  readonly options?: AddedOptions
  /** Asked of creations and of changes of the field. */
  readonly required?: boolean
  readonly unique?: boolean
  readonly indexed?: boolean
  readonly searched?: boolean
  /** While its index is being filled, writes keep it up and no query reads it; absent if it is ready. */
  readonly state?: 'ready' | 'building' | 'failed'
  /** A retired field is in no resource. */
  readonly retiredAt?: string | null
}

export interface AddedOptions {
  /** The longest `text`. */
  readonly max?: number
  /** Of `choice` and `choices`, in their order. */
  readonly values?: readonly AddedChoice[]
  /** The resource that a `link` refers to. */
  readonly to?: string
}

export interface AddedChoice {
  readonly value: string
  readonly title: string
  readonly titles?: Readonly<Record<string, string>>
}

/** It is never required, because existing things have no value. */
export const fieldAdded = (field: AddedField): Field => given(nullable(kindAdded(field)), null)

const USUAL_MAX = 200

function kindAdded({ kind, options = {} }: AddedField): Kind<unknown> {
  switch (kind) {
    case 'text':
      return text({ min: 1, max: options.max ?? USUAL_MAX })
    case 'choice':
      return choice((options.values ?? []).map(({ value }) => value))
    case 'integer':
      return integer()
    case 'boolean':
      return boolean
    case 'date':
      return date
    case 'instant':
      return instant
    case 'email':
      return email
    default:
      throw new Error(`no field of the kind ${kind} can be added yet`)
  }
}
