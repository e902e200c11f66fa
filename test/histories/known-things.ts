import { isDeepStrictEqual } from 'node:util'
import type { Resource } from '../../src/model/declaration/schema.ts'

/** A thing as the history has seen it: its document after each write that was looked at. */
export interface KnownThing {
  readonly name: string
  readonly resource: string
  readonly path: string
  /** By their revisions, without links. */
  readonly documents: Map<number, Document>
  latest: Document | undefined
}

export type Document = { readonly [member: string]: unknown }

/** What the test itself keeps of all things, to which later reads of the past are compared. */
export class KnownThings {
  readonly #things = new Map<string, KnownThing>()

  get all(): readonly KnownThing[] {
    return [...this.#things.values()]
  }

  of(resource: string): readonly KnownThing[] {
    return this.all.filter((thing) => thing.resource === resource)
  }

  get(name: string): KnownThing | undefined {
    return this.#things.get(name)
  }

  /** What a read of the thing has shown; nothing if it is gone. */
  see({ name: resource, path }: Pick<Resource, 'name' | 'path'>, name: string, shown: Document | undefined): void {
    const known = this.#things.get(name) ?? { name, resource, path, documents: new Map(), latest: undefined }
    this.#things.set(name, known)
    known.latest = shown
    if (shown !== undefined) known.documents.set(Number(shown.revision), shown)
  }

  /** Nothing of it is left: a purge has removed it. */
  lose(name: string): void {
    const { documents, ...thing } = this.#things.get(name) as KnownThing
    this.#things.set(name, { ...thing, documents: new Map(), latest: undefined })
  }

  /** What is wrong with a state of the past, or nothing if it is as it was seen, or was not. */
  differs(name: string, shown: Document): string | undefined {
    const seen = this.#things.get(name)?.documents.get(Number(shown.revision))
    if (seen === undefined || isAsSeen(seen, shown)) return undefined
    return `revision ${shown.revision} of ${name} was ${JSON.stringify(seen)}\nand is now ${JSON.stringify(shown)}`
  }
}

/** Links are a reader's, and a state is that of the moment. A field that came or went since is in one of both alone. */
function isAsSeen({ links: _links, state: _state, own: seenOwn, ...seen }: Document, shown: Document): boolean {
  const { links, state, own: shownOwn, ...rest } = shown
  return isDeepStrictEqual(seen, rest) && isAsSeenOwn((seenOwn ?? {}) as Document, (shownOwn ?? {}) as Document)
}

const isAsSeenOwn = (seen: Document, shown: Document): boolean =>
  Object.entries(seen).every(([field, value]) => !Object.hasOwn(shown, field) || isSame(value, shown[field]))

/** Choices are in the order that their field has now. */
const isSame = (seen: unknown, shown: unknown): boolean =>
  Array.isArray(seen) && Array.isArray(shown)
    ? isDeepStrictEqual(seen.toSorted(), shown.toSorted())
    : isDeepStrictEqual(seen, shown)
