import { EVENT_STREAM } from '../../events/event-stream.ts'
import type { Representation } from '../../representations/representation.ts'
import { acceptanceOf, namesType, parseAccept } from './accept.ts'

/** Whether the client prefers the live stream: it names it, first or with the highest weight. */
export function prefersLive(
  accept: string | undefined,
  forced: string | undefined,
  others: readonly Representation[],
): boolean {
  if (accept === undefined || forced !== undefined || !namesType(accept, EVENT_STREAM)) return false
  const ranges = parseAccept(accept)
  const live = acceptanceOf(EVENT_STREAM, ranges)
  if (live === undefined) return false
  return others
    .flatMap(({ mediaTypes }) => mediaTypes)
    .every((mediaType) => {
      const other = acceptanceOf(mediaType, ranges)
      if (other === undefined || other.weight < live.weight) return true
      return other.weight === live.weight && (other.place >= live.place || !namesType(accept, mediaType))
    })
}
