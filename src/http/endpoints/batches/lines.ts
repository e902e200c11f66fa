/** A non-blank line without its end, and its number from 1. A line that is too long is not stored. */
export interface IncomingLine {
  readonly line: number
  readonly text: Buffer | 'too long'
}

/**
 * Cuts bytes into lines as they arrive, a list of whole lines at a time. Blank lines are counted and cost nothing else.
 * The last line needs no end, but a body that breaks off has no last line.
 */
export async function* readLines(
  incoming: AsyncIterable<Buffer>,
  longest: number,
): AsyncGenerator<readonly IncomingLine[]> {
  let line = 1
  let kept: Buffer[] = []
  let length = 0
  const take = (part: Buffer): void => {
    length += part.length
    if (length <= longest) kept.push(part)
    else kept = []
  }
  const whole = (): IncomingLine => {
    const text = length > longest ? 'too long' : Buffer.concat(kept)
    kept = []
    length = 0
    return { line, text }
  }
  for await (const bytes of incoming) {
    const lines: IncomingLine[] = []
    for (let start = 0; start < bytes.length; ) {
      // White space before a line is ignored, and so is a blank line.
      if (length === 0 && isSpace(bytes[start])) {
        if (bytes[start] === LF) line++
        start++
        continue
      }
      const end = bytes.indexOf(LF, start)
      take(bytes.subarray(start, end === -1 ? bytes.length : end))
      if (end === -1) break
      lines.push(whole())
      line++
      start = end + 1
    }
    if (lines.length > 0) yield lines
  }
  if (length > 0) yield [whole()]
}

const isSpace = (byte: number | undefined): boolean =>
  byte === SPACE || (byte !== undefined && byte >= TAB && byte <= CR)
const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20]
