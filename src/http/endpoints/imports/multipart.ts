import { formBounds } from '../../../values/bounds.ts'
/** The head of a part of a form: the field's name and, of a file, the file's. */
export interface PartHead {
  readonly name: string
  readonly file: string | undefined
}

/** Takes the bytes of a part as they arrive. */
export type PartSink = (bytes: Buffer) => Promise<void> | void

/** The boundary that a Content-Type names. */
export const boundaryOf = (type: string): string | undefined => {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(type) ?? []
  return quoted ?? plain
}

/**
 * Reads a form with files, RFC 7578, in constant memory: the bytes of each part go to the sink for its head. Returns
 * the fault, if any.
 */
export async function readMultipart(
  incoming: AsyncIterable<Buffer>,
  boundary: string,
  sinkOf: (head: PartHead) => PartSink,
): Promise<string | undefined> {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  // The first boundary needs no line break before it.
  let rest: Buffer = Buffer.from('\r\n')
  let sink: PartSink = () => {}
  let state: 'body' | 'head' | 'end' = 'body'
  let parts = 0
  for await (const bytes of incoming) {
    if (state === 'end') continue
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      if (state === 'body') {
        const at = rest.indexOf(delimiter)
        // The text after the boundary says whether another part follows.
        if (at === -1 || rest.length < at + delimiter.length + 2) {
          const safe = at === -1 ? Math.max(0, rest.length - delimiter.length + 1) : at
          if (safe > 0) await sink(rest.subarray(0, safe))
          rest = rest.subarray(safe)
          break
        }
        if (at > 0) await sink(rest.subarray(0, at))
        const next = rest.subarray(at + delimiter.length, at + delimiter.length + 2).toString('latin1')
        rest = rest.subarray(at + delimiter.length + 2)
        state = next === '--' ? 'end' : 'head'
        if (state === 'end') break
        if (next !== '\r\n' || ++parts > formBounds.parts) return 'The form is not written as multipart/form-data.'
      }
      const end = rest.indexOf('\r\n\r\n')
      if (end === -1 && rest.length <= formBounds.partHead) break
      const head =
        end === -1 || end > formBounds.partHead ? undefined : readHead(rest.subarray(0, end).toString('utf8'))
      if (head === undefined) return 'A part of the form has no name.'
      sink = sinkOf(head)
      rest = rest.subarray(end + 4)
      state = 'body'
    }
  }
  return state === 'end' ? undefined : 'The form breaks off.'
}

function readHead(text: string): PartHead | undefined {
  const disposition = /^content-disposition:\s*form-data(.*)$/im.exec(text)?.[1] ?? ''
  const name = /;\s*name="([^"]*)"/i.exec(disposition)?.[1]
  const file = /;\s*filename="([^"]*)"/i.exec(disposition)?.[1]
  return name === undefined ? undefined : { name, file: file?.replaceAll('%22', '"') }
}
