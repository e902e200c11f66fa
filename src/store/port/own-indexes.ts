/** The indexes of added fields, which are filled while the service runs. decisions/0063 */
export interface OwnIndexes {
  /** Takes some things more into the index of a field; `build` is the revision of the field that asks for it. */
  fillIndex(on: string, field: string, build: number, most: number): Promise<FilledIndex>
  /** After the last things: the engine gets to know how many there are. */
  tidyIndex(on: string): Promise<void>
  /** The first values that several things have, once the index is filled: those of all writes until now. */
  repeats(on: string, field: string): Promise<readonly RepeatedValue[]>
}

/** `busy` if another instance is at it. */
export type FilledIndex = 'more' | 'done' | 'busy'

export interface RepeatedValue {
  readonly value: string | number
  /** The ids of two things that have it. */
  readonly things: readonly (string | number)[]
}
