import { BadSetting, type Settings } from '../config.ts'
import { nearest } from '../values/faults/nearest.ts'
import type { Door } from './door.ts'
import { graphql } from './graphql/graphql.ts'
import { jsonapi } from './jsonapi/jsonapi.ts'
import { mcp } from './mcp/mcp.ts'
import { odata } from './odata/odata.ts'
import { postgrest } from './postgrest/postgrest.ts'
import { rpc } from './rpc/rpc.ts'

/** The doors. */
export const doors: readonly Door[] = [rpc, jsonapi, odata, postgrest, graphql, mcp]

/** The doors that `DOORS` opens; throws for an unknown name. */
export function openDoors({ doors: names }: Pick<Settings, 'doors'>): readonly Door[] {
  if (names === 'all') return doors
  const known = doors.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return doors.filter(({ name }) => names.includes(name))
  const near = nearest(unknown, known)
  const hint = near === undefined ? `; there are ${known.join(', ')}` : `, did you mean ${near}?`
  throw new BadSetting(`DOORS names no door ${unknown}${hint}`)
}

/** The door that an address belongs to. */
export const doorAt = (path: string, open: readonly Door[]): Door | undefined =>
  open.find(({ at }) => path.startsWith(at) && (path.length === at.length || path[at.length] === '/'))
