import type { DoorAdapter } from './adapter.ts'
import { graphql } from './graphql.ts'
import { jsonapi } from './jsonapi.ts'
import { mcp } from './mcp.ts'
import { odata } from './odata.ts'
import { postgrest } from './postgrest.ts'
import { rpc } from './rpc.ts'

/** Every door in the matrix. */
export const adapters: readonly DoorAdapter[] = [rpc, jsonapi, odata, postgrest, graphql, mcp]
