import { type CustomerChunk, chunkReader, newCustomer } from '../../../model/customer/chunk.ts'
import { customer } from '../../../model/customer/customer.ts'
import { foldedTexts } from '../../rows/things.ts'
import { gramWriter } from '../../select/grams.ts'

/**
 * The documents, folded texts and texts of grams that the rows of a chunk have as new customers, in UTF-8. The thread that reads makes
 * them, since the one that writes has more to do; SQLite takes the bytes as they are.
 */
export interface ReadyDocuments {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Where the document, the folded texts and the text of the grams of each row end. */
  readonly ends: Uint32Array<ArrayBuffer>
}

/** What a document begins with; the thread that writes knows the id and puts both in the room before the rest. */
const BEGINNING = Buffer.from('{"id":')
const ROOM = BEGINNING.length + String(Number.MAX_SAFE_INTEGER).length

/** Texts of a row. */
const PARTS = 3
/** Bytes of a row, usually less; a chunk with longer ones gets more. */
const USUAL_LENGTH = 400
/** Bytes of a UTF-16 unit in UTF-8. */
const LONGEST_UNIT = 3

const gramTextOf = gramWriter(customer)

export function readyDocuments(chunk: CustomerChunk, now: string): ReadyDocuments {
  const row = chunkReader(chunk)
  const ends = new Uint32Array(chunk.rows * PARTS)
  let bytes = Buffer.allocUnsafeSlow(chunk.rows * USUAL_LENGTH)
  let end = 0
  const add = (text: string, room: number): number => {
    const needed = end + room + text.length * LONGEST_UNIT
    if (needed > bytes.length) bytes = lengthened(bytes, needed * 2)
    end += room + bytes.write(text, end + room)
    return end
  }
  for (let at = 0; at < chunk.rows; at++) {
    const made = newCustomer(row(at), 0, now, 0)
    ends[at * PARTS] = add(customer.toJson(made).slice(BEGINNING.length + 1), ROOM)
    ends[at * PARTS + 1] = add(foldedTexts(customer, made) ?? '', 0)
    ends[at * PARTS + 2] = add(gramTextOf(made), 0)
  }
  return { bytes, ends }
}

/** Not from Node's pool, since the bytes go to another thread. */
function lengthened(bytes: Buffer<ArrayBuffer>, length: number): Buffer<ArrayBuffer> {
  const longer = Buffer.allocUnsafeSlow(length)
  bytes.copy(longer)
  return longer
}

/** Reads the documents row by row. */
export function documentReader({ bytes, ends }: ReadyDocuments) {
  return {
    document(at: number, id: number): Uint8Array {
      let start = (ends[at * PARTS - 1] ?? 0) + ROOM
      for (let rest = id; rest > 0; ) {
        const tenth = Math.floor(rest / 10)
        bytes[--start] = ZERO + rest - tenth * 10
        rest = tenth
      }
      start -= BEGINNING.length
      bytes.set(BEGINNING, start)
      return bytes.subarray(start, ends[at * PARTS])
    },
    folded(at: number): Uint8Array | null {
      const start = ends[at * PARTS]
      const end = ends[at * PARTS + 1]
      return start === end ? null : bytes.subarray(start, end)
    },
    gramText: (at: number): Uint8Array => bytes.subarray(ends[at * PARTS + 1], ends[at * PARTS + 2]),
  }
}

const ZERO = 48
