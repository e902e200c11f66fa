import type { AddedKind, AddedOptions } from './added-kinds.ts'

/** A field that is not declared in the source: plain data, because every thread and instance builds its own schema. */
export interface AddedField {
  /** The id of the thing that it is made of: a later one was added later. */
  readonly id?: string
  /** The name of its resource. */
  readonly on: string
  readonly name: string
  readonly title: string
  /** Its title in other languages. */
  readonly titles?: Readonly<Record<string, string>>
  readonly help?: string | null
  /** Its place among the fields of its resource; equal ones in the order in which they were added. */
  readonly position?: number
  /** The heading under which pages show it. */
  readonly group?: string | null
  readonly kind: AddedKind
  readonly options?: AddedOptions
  /** Asked of creations and of changes of the field. */
  readonly required?: boolean
  readonly unique?: boolean
  readonly indexed?: boolean
  readonly searched?: boolean
  /** While its index is being filled, writes keep it up and no query reads it; absent if it is ready. */
  readonly state?: 'ready' | 'building' | 'failed' | 'purged'
  /** That of the thing that it is made of. */
  readonly revision?: number
  /** The choices that things get instead of closing ones. */
  readonly replaceBy?: Readonly<Record<string, string>> | null
  /** A retired field is in no resource. */
  readonly retiredAt?: string | null
}
