/** Texts in order, read one after the other. */
export interface JsonTexts extends Iterable<string> {
  readonly length: number
  /** Their approximate total length, if it is known without reading them. */
  readonly size?: number
  /** All of them in UTF-8, with commas between them, as a list of JSON has them; undefined if they are not kept so. */
  readonly bytes?: Uint8Array
  /** Releases their memory, if it is not left to the garbage collector; they cannot be read afterwards. */
  release?(): void
}

/** Between the texts of a list; a text has no line end of its own. */
export const SEPARATOR = ',\n'
const COMMA_AND_LINE = SEPARATOR.length

/** Texts as a database joined them: an answer has their bytes as they are, and who looks at one decodes it. */
export class ListedTexts implements JsonTexts {
  readonly length: number
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array, length: number) {
    this.bytes = bytes
    this.length = length
  }

  get size(): number {
    return this.bytes.length
  }

  *[Symbol.iterator](): Iterator<string> {
    const bytes = asBuffer(this.bytes)
    for (let from = 0; from < bytes.length; ) {
      const line = bytes.indexOf(NEWLINE, from)
      const to = line === -1 ? bytes.length : line + 1 - COMMA_AND_LINE
      yield bytes.toString('utf8', from, to)
      from = to + COMMA_AND_LINE
    }
  }
}

/** As many of them as a length says, from one on. */
export function someListed({ bytes, length: all }: ListedTexts, from: number, length: number): ListedTexts {
  if (length === 0) return new ListedTexts(bytes.subarray(0, 0), 0)
  let start = 0
  for (let nth = 0; nth < from; nth++) start = bytes.indexOf(NEWLINE, start) + 1
  let end = bytes.length
  for (let nth = from + length; nth < all; nth++) end = bytes.lastIndexOf(NEWLINE, end - 1) + 1 - COMMA_AND_LINE
  return new ListedTexts(bytes.subarray(start, end), length)
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)

/** Texts as lines of UTF-8, in chunks of few sizes, so that memory is reused. */
export interface Packed {
  readonly chunks: readonly Uint8Array[]
  /** For each text its chunk, and its beginning and end in the chunk. */
  readonly places: Uint32Array
}

/**
 * Texts that are kept in UTF-8 and decoded one by one. On the heap a long page would be garbage that is collected late;
 * a text that is decoded, written and dropped is collected at once.
 */
export class PackedTexts implements JsonTexts {
  readonly #packed: Packed
  readonly #order: readonly number[]
  readonly #decoder = new TextDecoder()

  /** `order` names the texts to read, in order. */
  constructor(packed: Packed, order: readonly number[]) {
    this.#packed = packed
    this.#order = order
  }

  /** All packed texts, in their original order. */
  static all(packed: Packed): PackedTexts {
    return new PackedTexts(
      packed,
      Array.from({ length: packed.places.length / PLACE }, (_, nth) => nth),
    )
  }

  get length(): number {
    return this.#order.length
  }

  get size(): number {
    return this.#packed.chunks.reduce((sum, { length }) => sum + length, 0)
  }

  release(): void {
    for (const { buffer } of this.#packed.chunks) (buffer as ArrayBuffer).transfer(0)
  }

  *[Symbol.iterator](): Iterator<string> {
    const { chunks, places } = this.#packed
    for (const nth of this.#order) {
      const [chunk = 0, start, end] = places.subarray(nth * PLACE, nth * PLACE + PLACE)
      yield this.#decoder.decode(chunks[chunk]?.subarray(start, end))
    }
  }
}

const PLACE = 3

/** Bytes of the first chunk, and of all that come after it, unless a single text has more: most pages are short. */
const [FIRST_CHUNK, CHUNK] = [2 ** 15, 2 ** 20]
const NEWLINE = 10

/** Packs texts one by one. */
export class TextPacker {
  readonly #full: Uint8Array[] = []
  readonly #places: number[] = []
  #chunk = new Uint8Array()
  #used = 0

  add(text: string): void {
    // UTF-8 has at most three bytes for a unit of UTF-16.
    const needed = text.length * 3 + 1
    if (this.#used + needed > this.#chunk.length)
      this.#begin(Math.max(needed, this.#places.length === 0 ? FIRST_CHUNK : CHUNK))
    const start = this.#used
    const end = start + encoder.encodeInto(text, this.#chunk.subarray(start)).written
    this.#chunk[end] = NEWLINE
    this.#used = end + 1
    this.#places.push(this.#full.length, start, end)
  }

  end(): Packed {
    this.#begin(0)
    return { chunks: this.#full, places: Uint32Array.from(this.#places) }
  }

  #begin(size: number): void {
    if (this.#used > 0) this.#full.push(this.#chunk.subarray(0, this.#used))
    this.#chunk = new Uint8Array(size)
    this.#used = 0
  }
}

const encoder = new TextEncoder()

const decoder = new TextDecoder()

/** The lines of a text, each decoded when it is asked for: a thousand of them may have tens of millions of characters. */
export function* linesIn(bytes: Uint8Array): Generator<string> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from)
    yield decoder.decode(bytes.subarray(from, end))
    from = end + 1
  }
}

/** The total length from which texts count as long: processing all of them at once would delay other requests. */
export const LONG = 2 ** 20

export const areLong = (texts: JsonTexts): boolean => sizeOf(texts) >= LONG

/** In characters, or in bytes if they are packed. */
export function sizeOf(texts: JsonTexts): number {
  if (texts.size !== undefined) return texts.size
  let size = 0
  for (const text of texts) size += text.length
  return size
}

/** Applies a function to each text, whenever it is read. */
export const mapTexts = (texts: JsonTexts, change: (text: string) => string): JsonTexts => ({
  length: texts.length,
  size: sizeOf(texts),
  *[Symbol.iterator]() {
    for (const text of texts) yield change(text)
  },
})

/** Texts with commas between them, one by one. */
export function* listed(texts: Iterable<string>): Generator<string> {
  let isFirst = true
  for (const text of texts) {
    yield isFirst ? text : `,${text}`
    isFirst = false
  }
}

export const unpacked = (texts: JsonTexts): readonly string[] => (Array.isArray(texts) ? texts : [...texts])
