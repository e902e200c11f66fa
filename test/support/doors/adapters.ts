import type { DoorAdapter } from './adapter.ts'
import { graphql } from './graphql.ts'
import { jsonapi } from './jsonapi.ts'
import { mcp } from './mcp.ts'
import { odata, odataInParts } from './odata.ts'
import { postgrest } from './postgrest.ts'
import { rpc } from './rpc.ts'

/** Every door. */
export const adapters: readonly DoorAdapter[] = [rpc, jsonapi, odata, postgrest, graphql, mcp]

/** Every way in the matrix: some doors have several. */
export const ways: readonly DoorAdapter[] = [...adapters, odataInParts]
