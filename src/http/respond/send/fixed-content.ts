import { createHash } from 'node:crypto'
import { memoize } from '../../../values/memoize.ts'
import { type Coding, compressThoroughly } from '../../negotiate/content-coding.ts'

/** A text that never changes while the service runs: its tag and its compressed forms are computed once. */
export interface FixedContent {
  readonly text: string
  readonly bytes: number
  tag(coding: Coding | undefined): string
  /** Computed on first use. */
  coded(coding: Coding): Promise<Buffer>
}

export function fixedContent(text: string): FixedContent {
  const mark = createHash('sha256').update(text).digest('base64url').slice(0, 16)
  return {
    text,
    bytes: Buffer.byteLength(text),
    tag: (coding) => (coding === undefined ? `"${mark}"` : `"${mark}.${coding}"`),
    coded: memoize((coding) => compressThoroughly(text, coding)),
  }
}
