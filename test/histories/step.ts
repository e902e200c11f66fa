/** What a history does next, as plain data: the ids in it have names. */
export type Step = { readonly at: number } & (Asking | Importing | Tending)

/** A request to both services. */
export interface Asking {
  readonly does: 'ask'
  readonly method: string
  readonly path: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
  /** Set if nothing may be written. */
  readonly dry?: true
}

/** A file that is uploaded, checked, imported, and perhaps undone. */
export interface Importing {
  readonly does: 'import'
  readonly on: string
  readonly type: string
  readonly file: FileOf
  /** Further parameters of the upload, with their separator. */
  readonly parameters: string
  readonly until: 'imported' | 'undone'
}

/** The text of a file, or the address of an export of either service. */
export type FileOf = { readonly text: string } | { readonly exportedAt: string }

/** What an operator does. */
export interface Tending {
  /** `look` compares all that is told of things, `examine` also what is derived from them. */
  readonly does: 'restart' | 'purge' | 'look' | 'examine'
}

/** Whether a step may be sent again and then mean the same. */
export const isRepeatable = (step: Step): step is Step & Asking =>
  step.does === 'ask' &&
  step.dry !== true &&
  (/\b[cdb]-\d+/.test(`${step.path} ${step.body}`) || step.headers?.['idempotency-key'] !== undefined)

export const isDry = (step: Step): boolean => step.does === 'ask' && step.dry === true
