import { requestBounds } from '../../values/bounds.ts'
import { reason } from '../../values/faults/fault.ts'
import { type Guard, includesState, isUnmodified, type State, type Version } from '../../values/guard.ts'
import { header } from '../contract/endpoint.ts'
import { headerProblem, type Problem } from '../contract/problems/problem.ts'
import { guardProblem } from '../contract/problems/refusals.ts'
import type { EntityTags } from '../contract/service-parts.ts'
import { readHttpDate } from '../negotiate/http-date.ts'

type Requested = { readonly headers: { readonly [name: string]: string | string[] | undefined } }

/** Reads If-Match, If-Unmodified-Since and If-None-Match of a write. Foreign tags match nothing. */
export function readGuard(
  call: Requested,
  tags: EntityTags,
  required: boolean,
): { readonly guard: Guard } | { readonly problem: Problem } {
  const match = readTags(call, 'If-Match')
  if (match !== undefined && 'problem' in match) return match
  const noneMatch = readTags(call, 'If-None-Match')
  if (noneMatch !== undefined && 'problem' in noneMatch) return noneMatch
  const unmodifiedSince = readDate(call, 'if-unmodified-since')
  return {
    guard: {
      // Strong comparison: a weak tag never matches.
      ...(match && { revisions: versionsIn(match.tags, tags) }),
      ...(unmodifiedSince !== undefined && { unmodifiedSince }),
      ...(noneMatch && { noneOf: versionsIn(noneMatch.tags, tags, 'weakly') }),
      required,
    },
  }
}

/** The precondition of a write, for requests about many things. */
export const statedPrecondition = ({ headers }: Requested): string | undefined =>
  ['If-Match', 'If-Unmodified-Since', 'If-None-Match'].find((name) => headers[name.toLowerCase()] !== undefined)

/** The validators of a read's answer: its tag and its state, if it has them. */
export interface Selected {
  readonly tag?: string | undefined
  readonly state?: State | undefined
}

/** RFC 9110 §13.2.2, for a read whose answer would be 200. */
export function judgeRead(
  call: Requested,
  { tag, state }: Selected,
  tags: EntityTags,
): 'send' | 'not-modified' | { readonly problem: Problem } {
  if (!isConditional(call)) return 'send'
  const match = readTags(call, 'If-Match')
  if (match !== undefined) {
    if ('problem' in match) return match
    if (!isSeen(match.tags, { tag, state }, tags)) return failed('If-Match', state)
  } else {
    const since = readDate(call, 'if-unmodified-since')
    if (since !== undefined && state !== undefined && !isUnmodified(tags.dated(state), since)) {
      return failed('If-Unmodified-Since', state)
    }
  }
  const noneMatch = readTags(call, 'If-None-Match')
  if (noneMatch !== undefined) {
    if ('problem' in noneMatch) return noneMatch
    const isHeld = noneMatch.tags === 'any' || noneMatch.tags.some((each) => each.replace(/^W\//, '') === tag)
    return isHeld ? 'not-modified' : 'send'
  }
  // An answer without a tag shows more than one thing's state, so no date applies.
  const since = tag === undefined ? undefined : readDate(call, 'if-modified-since')
  return since !== undefined && state !== undefined && isUnmodified(tags.dated(state), since) ? 'not-modified' : 'send'
}

/** A quick check, because every read pays for it and few are conditional. */
const isConditional = ({ headers }: Requested): boolean =>
  headers['if-none-match'] !== undefined ||
  headers['if-modified-since'] !== undefined ||
  headers['if-match'] !== undefined ||
  headers['if-unmodified-since'] !== undefined

/** A tag of any representation of the state matches. */
function isSeen(named: Tags, { tag, state }: Selected, tags: EntityTags): boolean {
  if (named === 'any' || (tag !== undefined && named.includes(tag))) return true
  return state !== undefined && includesState(versionsIn(named, tags), state)
}

const failed = (name: string, current: State | undefined): { readonly problem: Problem } => ({
  problem: guardProblem(
    current === undefined
      ? { code: 'precondition-failed', header: name, current }
      : { code: 'stale-revision', current },
  ),
})

function versionsIn(named: Tags, tags: EntityTags, how?: 'weakly'): readonly Version[] | 'any' {
  if (named === 'any') return named
  return named.flatMap((tag) => tags.stateOf(how === undefined ? tag : tag.replace(/^W\//, '')) ?? [])
}

type Tags = readonly string[] | 'any'

/** RFC 9110 §8.8.3 and §5.6.1.2: a list of tags, in which empty elements are ignored. */
function readTags(
  call: Requested,
  name: 'If-Match' | 'If-None-Match',
): { readonly tags: Tags } | { readonly problem: Problem } | undefined {
  const value = header(call, name.toLowerCase())
  if (value === undefined) return undefined
  if (value.trim() === '*') return { tags: 'any' }
  const tags = value.length > requestBounds.tags ? [] : elementsOf(value)
  if (tags.length > 0) return { tags }
  return { problem: headerProblem(name, reason('malformed', { wants: 'entity-tags' })) }
}

// One element and its comma; linear, because no character is read twice.
const element = /[ \t]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y

/** The tags of a list; empty if the text is not a list. */
function elementsOf(value: string): readonly string[] {
  const tags: string[] = []
  for (element.lastIndex = 0; element.lastIndex < value.length; ) {
    const found = element.exec(value)
    if (found === null) return []
    if (found[1] !== undefined) tags.push(found[1])
  }
  return tags
}

/** RFC 9110 §13.1.3, §13.1.4: an invalid HTTP-date is ignored. */
function readDate(call: Requested, name: 'if-modified-since' | 'if-unmodified-since'): number | undefined {
  const value = header(call, name)
  return value === undefined ? undefined : readHttpDate(value.trim())
}
