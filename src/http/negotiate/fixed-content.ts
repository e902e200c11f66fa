import { createHash, type Hash } from 'node:crypto'
import type { Written } from '../../representations/representation.ts'
import { memoize } from '../../values/memoize.ts'
import type { FixedContent } from '../contract/answer.ts'
import type { Coding } from '../contract/service-parts.ts'
import { compressThoroughly } from './content-coding.ts'

export function fixedContent(text: string): FixedContent {
  const mark = markOf(text)
  return {
    text,
    bytes: Buffer.byteLength(text),
    tag: (coding) => tagged(mark, coding),
    coded: memoize((coding) => compressThoroughly(text, coding)),
  }
}

/** The tag of an answer that shows the states of many things, such as a feed: it is computed from the bytes. */
export const contentMark = (content: Written, coding: Coding | undefined): string => tagged(markOf(content), coding)

/** The same for content that is written in parts, with all of them. */
export async function markedParts(
  parts: AsyncIterable<Uint8Array>,
  coding: Coding | undefined,
): Promise<{ readonly tag: string; readonly made: readonly Uint8Array[] }> {
  const hash = createHash('sha256')
  const made: Uint8Array[] = []
  for await (const part of parts) {
    hash.update(part)
    made.push(part)
  }
  return { tag: tagged(digested(hash), coding), made }
}

const markOf = (content: Written): string => digested(createHash('sha256').update(content))

const digested = (hash: Hash): string => hash.digest('base64url').slice(0, 16)

const tagged = (mark: string, coding: Coding | undefined): string =>
  coding === undefined ? `"${mark}"` : `"${mark}.${coding}"`
