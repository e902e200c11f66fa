import { createHash } from 'node:crypto'
import type { Guard } from '../values/guard.ts'
import { remembered } from '../values/remembered.ts'
import type { Validators } from './answer.ts'
import { header } from './endpoint.ts'
import { headerProblem, type Problem } from './problem.ts'

/** Entity tags: strong, made of the revision and of whatever else shapes the bytes. */
export interface Validation {
  tag(revision: number, representation: string): string
  /** The revision that a tag of ours stands for, in whichever representation. */
  revisionOf(tag: string): number | undefined
}

export function validationFor(shaping: readonly string[], representations: readonly string[]): Validation {
  const marks = new Map(representations.map((name) => [name, markOf([...shaping, name])]))
  const known = new Set(marks.values())
  return {
    tag: (revision, representation) => `"${revision}-${marks.get(representation)}"`,
    revisionOf(tag) {
      const [, revision, mark] = /^"([1-9]\d{0,15})-([\w-]+)"$/.exec(tag) ?? []
      return mark !== undefined && known.has(mark) ? Number(revision) : undefined
    },
  }
}

const markOf = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 8)

type Requested = { readonly headers: { readonly [name: string]: string | string[] | undefined } }

/** RFC 9110 §13.1.1. The revisions that If-Match names; tags that are not ours match nothing. */
export function readGuard(
  call: Requested,
  validation: Validation,
  required: boolean,
): { readonly guard: Guard } | { readonly problem: Problem } {
  const value = header(call, 'if-match')
  if (value === undefined) return { guard: { required } }
  if (value.trim() === '*') return { guard: { revisions: 'any', required } }
  const tags = readTags(value)
  if (tags === undefined)
    return { problem: headerProblem('If-Match', 'must be * or a list of entity tags such as "7-x"') }
  // Strong comparison: a weak tag never matches.
  const revisions = tags.map((tag) => validation.revisionOf(tag)).filter((revision) => revision !== undefined)
  return { guard: { revisions, required } }
}

/** Whether If-None-Match names the tag of something that has no date. */
export function namesTag(call: Requested, tag: string): boolean {
  const noneMatch = header(call, 'if-none-match')
  return noneMatch !== undefined && (noneMatch.trim() === '*' || hasTag(noneMatch, tag))
}

const hasTag = (list: string, tag: string): boolean =>
  readTags(list)?.some((each) => each.replace(/^W\//, '') === tag) ?? false

/** RFC 9110 §13.2.2: If-None-Match is evaluated before If-Modified-Since, which it replaces. */
export function isNotModified(call: Requested, tag: string | undefined, { updatedAt }: Validators): boolean {
  const noneMatch = header(call, 'if-none-match')
  if (noneMatch !== undefined) {
    if (noneMatch.trim() === '*') return true
    return tag !== undefined && hasTag(noneMatch, tag)
  }
  const since = header(call, 'if-modified-since')
  if (since === undefined) return false
  const time = Date.parse(since)
  return !Number.isNaN(time) && Math.floor(Date.parse(updatedAt) / 1000) * 1000 <= time
}

/** RFC 9110 §5.6.7, of an instant as we write them. */
export const httpDate = (instant: string): string => `${httpDay(instant.slice(0, 10))}${instant.slice(11, 19)} GMT`

// Most of what is read changed on one of a few days.
const httpDay = remembered((day) => new Date(day).toUTCString().slice(0, 'Mon, 01 Jan 2024 '.length), 1000)

function readTags(value: string): readonly string[] | undefined {
  const list = /^\s*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*\s*$/
  if (value.length > 4096 || !list.test(value)) return undefined
  return value.match(/(?:W\/)?"[^"]*"/g) ?? undefined
}
