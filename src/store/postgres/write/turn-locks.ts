import type { Key } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import type { Intent } from '../../../model/intent/intent.ts'
import { linksNamed, wouldRemove } from '../../../model/intent/look-ahead.ts'
import { linksTo, type Referrer } from '../../../model/schema/resources.ts'
import { columnOfField } from '../../rows/things.ts'
import type { Statement } from '../../sql/statement.ts'

/** Waits for the locks of things, in their order: nobody else changes them until the transaction ends. */
export const AWAIT_TURNS = {
  name: 'await-turns',
  text: 'SELECT pg_advisory_xact_lock(hashtextextended(subject, 0)) FROM unnest($1::text[]) AS subject',
}

/** The same for the things that refer to one; gives their ids. */
export const awaitParting = ({ from, field }: Referrer): Statement => ({
  name: `${from.name}-${field}-await-turns`,
  text: `SELECT id::text, pg_advisory_xact_lock(hashtextextended(id::text, 0))
    FROM (SELECT id FROM ${from.plural} WHERE ${columnOfField(from, field)} = $1 ORDER BY id) AS referring`,
})

// A link in an added field has no foreign key: a thing that one writer links to, another must not remove meanwhile.

/** An intent on a thing; undefined if no thing can have the id. */
interface Concerned {
  readonly intent: Intent
  readonly resource: Resource
  readonly subject: Key | undefined
}

/** The names of things that may be linked to, with whether the writer lets others link to the thing, too. */
export type LinkLocks = ReadonlyMap<string, boolean>

/** Those who link to a thing share its lock; a removal has it alone, so that the later of the two sees the earlier. */
export function linkLocks(concerned: readonly Concerned[]): LinkLocks {
  const shared = concerned.flatMap(({ intent, resource }) => linksNamed(intent, resource))
  const alone = concerned.flatMap(({ intent, resource, subject }) =>
    subject !== undefined && wouldRemove(intent, resource) && linksTo(resource).length > 0
      ? [{ resource: resource.name, id: subject }]
      : [],
  )
  return new Map([
    ...[...shared, ...alone].map(({ resource }) => [anyOf(resource), true] as const),
    ...shared.map(({ resource, id }) => [`${anyOf(resource)} ${id}`, true] as const),
    ...alone.map(({ resource, id }) => [`${anyOf(resource)} ${id}`, false] as const),
  ])
}

/** The lock that all of them share, so that who links or removes very many things has one. */
export const anyOf = (resource: string): string => `link to ${resource}`

/** Whether two of one transaction, which waits for no lock of its own, have to follow each other. */
export const areApart = (some: LinkLocks, others: LinkLocks): boolean =>
  [...some].some(([name, isShared]) => others.has(name) && !(isShared && others.get(name)))

/** In the order in which all instances ask. */
export function lockedBy(all: readonly LinkLocks[]): readonly [readonly string[], readonly boolean[]] {
  const names = [...new Set(all.flatMap((each) => [...each.keys()]))].toSorted()
  return [names, names.map((name) => all.every((each) => each.get(name) ?? true))]
}

/** The names whose lock is free. */
export const TRY_LINKS = {
  name: 'try-links',
  text: `SELECT name FROM unnest($1::text[], $2::boolean[]) AS link (name, shared) WHERE CASE WHEN shared
    THEN pg_try_advisory_xact_lock_shared(hashtextextended(name, 0))
    ELSE pg_try_advisory_xact_lock(hashtextextended(name, 0)) END`,
}

export const AWAIT_LINKS = {
  name: 'await-links',
  text: `SELECT CASE WHEN shared THEN pg_advisory_xact_lock_shared(hashtextextended(name, 0))::text
    ELSE pg_advisory_xact_lock(hashtextextended(name, 0))::text END
    FROM unnest($1::text[], $2::boolean[]) AS link (name, shared)`,
}
