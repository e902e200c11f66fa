import { withoutLinks } from '../../http/contract/sample.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import type { Role } from '../../values/role.ts'
import type { Door, DoorRoute } from '../door.ts'
import { byName, functionName, JSON_TYPE, posting, writingRole } from '../kit/declaring.ts'

const AT = '/postgrest'

/** supabase-js adds it to the address that it is given. */
const SUPABASE = '/rest/v1'

function routesTo({ resources, operations }: Schema): readonly DoorRoute[] {
  const below = (path: string): string => path.slice(AT.length).replace(SUPABASE, '')
  const tableAt = (path: string) => resources.find(({ plural }) => below(path) === `/${plural}`)
  const writing =
    (operation?: string) =>
    (path: string): Role | undefined => {
      const table = tableAt(path)
      return table && writingRole(table, operation)
    }
  const calling = (path: string): Role | undefined => {
    const called = operations.find((operation) => below(path) === `/rpc/${functionName(operation)}`)
    return called && writingRole(called.on, called.name)
  }
  const reads = [JSON_TYPE]
  const routes: readonly DoorRoute[] = [
    { method: 'GET', path: '' },
    { method: 'GET', path: '/:table', at: (path) => tableAt(path) && 'reader' },
    { method: 'POST', path: '/:table', at: writing('create'), reads },
    { method: 'PUT', path: '/:table', at: writing(), reads },
    { method: 'PATCH', path: '/:table', at: writing(), reads },
    { method: 'DELETE', path: '/:table', at: writing('delete') },
    { method: 'POST', path: '/rpc/:function', at: calling, reads },
  ]
  // The second address of the root is no suggestion for a mistyped /rest/v1.
  const again = routes.map(({ at = () => 'reader', ...route }) => ({ ...route, at, path: SUPABASE + route.path }))
  return [...routes, ...again]
}

/** /postgrest/deals and /postgrest/rpc/hold_deal */
export const postgrest: Door<'postgrest'> = {
  name: 'postgrest',
  title: 'PostgREST',
  idea: 'Tables with filters in the address and a function for each operation, as Supabase has them.',
  at: AT,
  routes: routesTo,
  formats: ['nulls=stripped'],
  headers: {
    request: ['Prefer', 'Range', 'Range-Unit', 'Accept-Profile', 'Content-Profile', 'X-Client-Info', 'apikey'],
    answer: ['Content-Range', 'Range-Unit', 'Preference-Applied'],
  },
  first: { method: 'GET', path: `${AT}/deals?select=id,name,customer(name)&status=eq.open&order=price.desc&limit=2` },
  request: (sample) => posting(`${AT}/rpc/${functionName(sample.operation)}`, byName(sample)),
  answer: (said) =>
    'thing' in said
      ? { status: 200, headers: { 'Content-Type': JSON_TYPE }, body: withoutLinks(said.thing) }
      : {
          status: said.status,
          headers: { 'Content-Type': JSON_TYPE },
          body: `{"code":…,"message":…,"problem":${said.problem}}`,
        },
  says: ({ resources }) => [
    [
      'Tables',
      `${resources.map(({ plural }) => plural).join(', ')}; their columns are the fields, with the same names (customerId, createdAt). An insert creates, one row or up to 1,000; an update changes what PATCH changes; a delete deletes. Updates and deletes need a filter, and take at most 1,000 rows, all or none. Prefer: resolution=merge-duplicates or ignore-duplicates makes an insert an upsert by on_conflict, a unique column or the id; PUT does it for one row. The same is below /postgrest/rest/v1, where supabase-js looks for it.`,
    ],
    [
      'Functions',
      'rpc/hold_deal and so on for every operation, by POST with named parameters: id, those of the operation, and beside them commandId, expectedRevision and dryRun. The result is the thing; 204 if it is gone for good.',
    ],
    [
      'Filters',
      'eq neq gt gte lt lte in is isdistinct like ilike match imatch, not., (any) and (all), and, or, not.and, not.or. Null is as in SQL: a comparison with it is neither true nor false, so neq and not.eq leave it out. ilike ignores accents too, match is RE2, and owner=unknown.true finds who is no user. Ranges, arrays, full text and JSON paths are refused.',
    ],
    [
      'Select',
      'Columns, alias:column, column::text, and what a row refers to or is referred to by: customer(name) or customers(name) on deals, deals(*,tasks(*)) on customers, four levels deep. Embedded things take filters, order, limit and offset (deals.price=gt.5, deals.order=price.desc, deals.or=(…)), !inner leaves out rows without a match, and ...customer(name) spreads one thing. Of many the latest 50 are shown unless they are ordered, and a page has at most 50 rows then.',
    ],
    [
      'Pages',
      'order=age.desc.nullslast, limit and offset or Range; at most 1,000 rows. Nulls come last, in a descending order first. Prefer: count=exact gives the total in Content-Range, 206 for a part, and 416 behind the end; planned and estimated are exact as well.',
    ],
    [
      'Preferences',
      'return=representation, headers-only or minimal; missing=default; handling=strict; max-affected; tx=rollback, which decides and stores nothing.',
    ],
    [
      'Versions',
      'A single object that is read by its id has an ETag; send it as If-Match with an update, a delete or a function, and a stale one is 412. revision=eq.3 among the filters does it in one request: nothing is changed then. Idempotency-Key is the command id; of many rows that are inserted, that of row n is the key, a dot and n. An update or a delete takes a key if id=eq.… is its only filter.',
    ],
    [
      'Problems',
      'code, message, details and hint. The code is the one of PostgREST or SQL where there is one (PGRST100, PGRST116, 42501), else that of the problem, such as wrong-state; problem has the whole problem.',
    ],
  ],
  open: async () => (await import('./room.ts')).openRoom,
}
