import { csvRecords } from './csv-records.ts'

/** The supported encodings; the first is the preferred one. */
export const encodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'macintosh',
  'shift_jis',
  'gb18030',
] as const
export type Encoding = (typeof encodings)[number]

export const delimiters = [',', ';', '\t', '|'] as const

/** Determines the encoding of bytes that come in pieces. */
export function encodingOf(): { add(bytes: Buffer): void; found(): Encoding } {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let beginning: Buffer | undefined
  let isUtf8 = true
  const decode = (bytes?: Buffer): void => {
    if (!isUtf8) return
    try {
      utf8.decode(bytes, { stream: bytes !== undefined })
    } catch {
      isUtf8 = false
    }
  }
  return {
    add(bytes) {
      beginning ??= Buffer.from(bytes.subarray(0, LOOKED_AT))
      decode(bytes)
    },
    found() {
      decode()
      return wide(beginning ?? Buffer.alloc(0)) ?? (isUtf8 ? 'utf-8' : 'windows-1252')
    },
  }
}

const LOOKED_AT = 1024

/** By its byte order mark or by the positions of zero bytes, since most letters need one byte. */
function wide(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const most = bytes.length / 2
  if (odd > most / 2 && even === 0) return 'utf-16le'
  return even > most / 2 && odd === 0 ? 'utf-16be' : undefined
}

/** Whether lines end with CR alone, as old Mac programs write them. Quoted cells may have any line break. */
export function endsWithReturns(beginning: string): boolean {
  const unquoted = beginning.slice(0, RETURNS_WITHIN).replaceAll(/"[^"]*(?:"|$)/g, '""')
  return !unquoted.includes('\n') && /\r./s.test(unquoted)
}

const RETURNS_WITHIN = 4096

/** The number of rows to examine. */
const ROWS = 20

/**
 * The character that a spreadsheet names in a first line `sep=;`, or else the one that cuts most of the first rows into
 * the same number of cells, and into most cells.
 */
export function delimiterOf(text: string): string {
  const [, said] = /^sep=([^\r\n])\r?\n/i.exec(text) ?? []
  if (said !== undefined) return said
  let best: { readonly delimiter: string; readonly score: number } = { delimiter: ',', score: 0 }
  for (const delimiter of delimiters) {
    const widths = firstWidths(text, delimiter)
    const width = mostFrequent(widths)
    if (width < 2) continue
    const score = widths.filter((each) => each === width).length / widths.length + width / 1000
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}

/** The numbers of cells of the first rows of a text, which may be cut off; none if the first one is unreadable. */
function firstWidths(text: string, delimiter: string): readonly number[] {
  const widths: number[] = []
  let isBroken = false
  const records = csvRecords(
    {
      take: ({ length }) => void (widths.length < ROWS && widths.push(length)),
      reject: () => {
        isBroken ||= widths.length === 0
      },
    },
    delimiter,
  )
  const taken = records.read(text, false)
  // A file without an end of line is one row.
  if (widths.length === 0 && taken < text.length) records.read(text.slice(taken), true)
  return isBroken ? [] : widths
}

const mostFrequent = (widths: readonly number[]): number => {
  const counts = Map.groupBy(widths, (width) => width)
  return [...counts].toSorted((a, b) => b[1].length - a[1].length || b[0] - a[0]).at(0)?.[0] ?? 0
}
