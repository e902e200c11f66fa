import type { IncomingHttpHeaders } from 'node:http'
import type { Transform } from 'node:stream'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib'
import type { Written } from '../../representations/representation.ts'
import { memoize } from '../../values/memoize.ts'
import type { Coding } from '../contract/service-parts.ts'
import { isWeight, weightText } from './accept.ts'

/** The content codings of answers. Of those that a client weighs equally, the first one is used. */
export const codings: readonly Coding[] = ['zstd', 'br', 'gzip']

/** Answers with more bytes than this are compressed: 1 kB. */
export const LARGEST_PLAIN = 1000

/**
 * The content coding of an answer; undefined for none. Another site's page gets no compressed answers, because their
 * lengths could reveal their content (BREACH). decisions/0019
 */
export function acceptedCoding(headers: IncomingHttpHeaders): Coding | undefined {
  const accepted = headers['accept-encoding']
  if (accepted === undefined || headers['sec-fetch-site'] === 'cross-site') return undefined
  const found = preferred(String(accepted))
  return found === 'identity' ? undefined : found
}

/** RFC 9110 §12.5.3. Only named codings are used; if none suits, the answer is not compressed. */
const preferred = memoize((header): Coding | 'identity' => {
  const weights = weightsIn(header)
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0
  let best: Coding | 'identity' = 'identity'
  // An unnamed identity is acceptable, but less than any named coding.
  let most = weights.get('identity') ?? 0
  for (const coding of codings) {
    const weight = weightOf(coding)
    if (weight > most || (weight === most && weight > 0 && best === 'identity')) {
      best = coding
      most = weight
    }
  }
  return best
})

function weightsIn(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const element of header.toLowerCase().split(',')) {
    const [name = '', parameter] = element.split(';').map((part) => part.trim())
    const weight = parameter === undefined ? '1' : (weightText.exec(parameter)?.[1] ?? '')
    // RFC 9110 §8.4.1.3: x-gzip is gzip.
    if (name !== '' && isWeight.test(weight)) weights.set(name === 'x-gzip' ? 'gzip' : name, Number(weight))
  }
  return weights
}

type Callback = (error: Error | null, bytes: Buffer) => void

interface Coder {
  now(text: Written): Buffer
  later(text: Written, done: Callback): void
  /** Slower and smaller, for content that is compressed once. */
  thoroughly(text: string, done: Callback): void
  stream(): Transform & { flush(done: () => void): void }
}

const {
  ZSTD_c_compressionLevel: level,
  ZSTD_c_windowLog: zstdWindow,
  BROTLI_PARAM_QUALITY: quality,
  BROTLI_PARAM_LGWIN: brotliWindow,
  BROTLI_PARAM_SIZE_HINT: sizeHint,
} = constants

// A stream holds its window while it lasts: 256 KiB is enough for similar lines.
const WINDOW = 18

const zstdFast = { params: { [level]: 3 } }
const brotliFast = { params: { [quality]: 4 } }
const gzipFast = { level: 4 }

const coders: { readonly [C in Coding]: Coder } = {
  zstd: {
    now: (text) => zstdCompressSync(text, zstdFast),
    later: (text, done) => zstdCompress(text, zstdFast, done),
    thoroughly: (text, done) => zstdCompress(text, { params: { [level]: 15 } }, done),
    stream: () => createZstdCompress({ params: { [level]: 3, [zstdWindow]: WINDOW } }),
  },
  br: {
    now: (text) => brotliCompressSync(text, brotliFast),
    later: (text, done) => brotliCompress(text, brotliFast, done),
    thoroughly: (text, done) => brotliCompress(text, { params: { [quality]: 9, [sizeHint]: text.length } }, done),
    stream: () => createBrotliCompress({ params: { [quality]: 4, [brotliWindow]: WINDOW } }),
  },
  gzip: {
    now: (text) => gzipSync(text, gzipFast),
    later: (text, done) => gzip(text, gzipFast, done),
    thoroughly: (text, done) => gzip(text, { level: 9 }, done),
    stream: () => createGzip({ ...gzipFast, flush: constants.Z_NO_FLUSH }),
  },
}

/** Up to this size, passing the work to another thread costs more than the work. */
const SMALL = 4096

/** Synchronous where that is cheaper. */
export function compress(text: Written, coding: Coding): Buffer | Promise<Buffer> {
  const coder = coders[coding]
  return text.length <= SMALL ? coder.now(text) : promised((done) => coder.later(text, done))
}

export const compressThoroughly = (text: string, coding: Coding): Promise<Buffer> =>
  promised((done) => coders[coding].thoroughly(text, done))

export const compressor = (coding: Coding): ReturnType<Coder['stream']> => coders[coding].stream()

const promised = (start: (done: Callback) => void): Promise<Buffer> =>
  new Promise((resolve, reject) => start((error, bytes) => (error === null ? resolve(bytes) : reject(error))))
