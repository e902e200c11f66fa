import { header } from '../../http/contract/endpoint.ts'
import type { DoorAnswer, DoorCall } from '../door.ts'
import type { RowsUse } from './asked/asked-rows.ts'
import { refused } from './errors.ts'

/** The preferences in the header Prefer. */
export interface Preferences {
  /** By default a function returns its result and a table nothing. */
  readonly returns: 'representation' | 'headers-only' | 'minimal' | undefined
  readonly counts: boolean
  /** Whether an absent column of an insert has its default rather than null. */
  readonly missingDefault: boolean
  /** A row whose value is there: it is changed, or left as it is. */
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | undefined
  /** Whether nothing is kept: `tx=rollback`, or `dry-run=true` in the address. */
  readonly rollsBack: boolean
  /** Whether `tx` was given. */
  readonly transaction: true | undefined
  /** The most rows that may be changed. */
  readonly mostAffected: number | undefined
  /** The applied preferences, for Preference-Applied. */
  readonly applied: readonly string[]
}

const known: { readonly [name: string]: RegExp } = {
  return: /^(representation|headers-only|minimal)$/,
  count: /^(exact|planned|estimated)$/,
  missing: /^(default|null)$/,
  resolution: /^(merge-duplicates|ignore-duplicates)$/,
  handling: /^(strict|lenient)$/,
  tx: /^(commit|rollback)$/,
  'max-affected': /^\d{1,9}$/,
}

const always = ['handling', 'tx']
const changing = [...always, 'return', 'count', 'max-affected']

/** The preferences that apply to each use; the others are known, and ignored. */
const meant: Record<RowsUse, readonly string[]> = {
  read: [...always, 'count'],
  insert: [...changing, 'missing', 'resolution'],
  put: changing,
  update: changing,
  delete: changing,
  call: [...always, 'return'],
}

/**
 * RFC 7240: names have no case, parameters behind a semicolon are ignored, and the first of several equal preferences
 * counts. A transaction that cannot be read might be one to roll back: it is refused.
 */
export function readPreferences(
  call: Pick<DoorCall, 'headers' | 'around'>,
  use: RowsUse,
): Preferences | { readonly answer: DoorAnswer } {
  const asked = (header(call, 'prefer') ?? '').split(',').map((each) => each.trim())
  const found = new Map<string, string>()
  const ignored: string[] = []
  for (const text of asked.filter((each) => each !== '')) {
    const [stated = '', value = ''] = text
      .replace(/;.*/s, '')
      .split('=', 2)
      .map((part) => part.trim().replaceAll('"', ''))
    const name = stated.toLowerCase()
    if (name === 'resolution' && !known.resolution?.test(value))
      return { answer: invalid([text], 'A resolution is merge-duplicates or ignore-duplicates') }
    if (name === 'tx' && !known.tx?.test(value))
      return { answer: invalid([text], 'The transaction is to end with commit or rollback') }
    if (!known[name]?.test(value)) ignored.push(text)
    else if (!found.has(name)) found.set(name, value)
  }
  const strict = found.get('handling') === 'strict'
  if (strict && ignored.length > 0) return { answer: invalid(ignored) }
  const most = found.get('max-affected')
  const { dryRun } = call.around
  const tx = found.get('tx')
  if (tx !== undefined && dryRun !== undefined && dryRun !== (tx === 'rollback'))
    return { answer: contradiction('dry-run') }
  // As in PostgREST, only strict handling makes it a limit.
  if (!strict) found.delete('max-affected')
  return {
    returns: found.get('return') as Preferences['returns'],
    counts: found.has('count'),
    resolution: found.get('resolution') as Preferences['resolution'],
    missingDefault: found.get('missing') === 'default',
    rollsBack: dryRun ?? tx === 'rollback',
    transaction: tx !== undefined || undefined,
    mostAffected: strict && most !== undefined ? Number(most) : undefined,
    applied: [...found].filter(([name]) => meant[use].includes(name)).map(([name, value]) => `${name}=${value}`),
  }
}

const invalid = (ignored: readonly string[], message = 'Invalid preferences given with handling=strict'): DoorAnswer =>
  refused({
    status: 400,
    code: 'PGRST122',
    message,
    details: `Invalid preferences: ${ignored.join(', ')}`,
  })

/** For a dry run that is requested in one place and not in another. */
export const contradiction = (name: string): DoorAnswer =>
  refused({ status: 400, code: 'invalid-parameter', message: `${name} and what stands around it say different things` })
