import { PostgrestClient } from '@supabase/postgrest-js'
import type { ForeignClient } from '../foreign-client.ts'
import { postgrestTries } from '../postgrest-tries.ts'

export const client: ForeignClient = {
  packages: ['@supabase/postgrest-js'],
  door: '/postgrest',
  types: { without: 'Their types are made from the catalog of a PostgreSQL database.' },
  tries: postgrestTries(({ url, headers }) => new PostgrestClient(`${url}/postgrest`, { headers }), {
    prefix: 'postgrest-js',
    held: 'D-14',
  }),
}
