/** The service that clients are tried with: fields of every kind, one of them required, and a second pipeline. */
export interface TriedService {
  readonly url: string
  /** An admin's key. */
  readonly key: string
  /** The credential as headers, for clients that take headers. */
  readonly headers: { readonly authorization: string }
  /** Where a client may write: it is emptied before, and what is generated here is compiled. */
  readonly folder: string
}

/** What people do with a client; the columns of the table. */
export const features = {
  read: 'read',
  filter: 'filter',
  own: 'own fields',
  pages: 'pages',
  related: 'related',
  create: 'create',
  change: 'change',
  upsert: 'upsert',
  operation: 'operation',
  refusal: 'refusal',
  batch: 'batch',
} as const

export type Feature = keyof typeof features

/** Done by the client itself, throwing if it cannot, or the reason why it is not done. */
export type Trial = ((service: TriedService) => Promise<void>) | { readonly without: string }

/** A client that people have, unmodified, as its package in the registry is. */
export interface ForeignClient {
  /** Its packages, whose versions the table tells. */
  readonly packages: readonly string[]
  readonly door: string
  /** Writes into the folder of the service what the client's generator makes. */
  readonly generate?: (service: TriedService) => Promise<void> | void
  /** Whether its file, and what it generates, must compile; or why it has no types of ours. */
  readonly types: 'checked' | { readonly without: string }
  readonly tries: { readonly [F in Feature]: Trial }
}
