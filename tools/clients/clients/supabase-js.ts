import { createClient } from '@supabase/supabase-js'
import type { ForeignClient } from '../foreign-client.ts'
import { postgrestTries } from '../postgrest-tries.ts'

export const client: ForeignClient = {
  packages: ['@supabase/supabase-js'],
  door: '/postgrest',
  types: { without: 'Their types are made from the catalog of a PostgreSQL database.' },
  tries: postgrestTries(({ url, key }) => createClient(`${url}/postgrest`, key), {
    prefix: 'supabase-js',
    held: 'D-13',
  }),
}
