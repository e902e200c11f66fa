/** A line without its end, or one that is too long to be kept. */
export type IncomingLine = Buffer | 'too long'

/**
 * Cuts bytes into lines as they come, a list of whole lines at a time. Of a line that is too long nothing is kept. The
 * last line needs no end, but a body that breaks off has no last line.
 */
export async function* readLines(
  incoming: AsyncIterable<Buffer>,
  longest: number,
): AsyncGenerator<readonly IncomingLine[]> {
  let kept: Buffer[] = []
  let length = 0
  const take = (part: Buffer): void => {
    length += part.length
    if (length <= longest) kept.push(part)
    else kept = []
  }
  const whole = (): IncomingLine => {
    const line = length > longest ? 'too long' : Buffer.concat(kept)
    kept = []
    length = 0
    return line
  }
  for await (const bytes of incoming) {
    const lines: IncomingLine[] = []
    let start = 0
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
      take(bytes.subarray(start, end))
      lines.push(whole())
      start = end + 1
    }
    take(bytes.subarray(start))
    if (lines.length > 0) yield lines
  }
  if (length > 0) yield [whole()]
}

const LF = 10
