import type { JsonSchema } from '../../values/kinds/kind.ts'

const text = (maxLength: number, pattern?: string): JsonSchema => ({
  type: 'string',
  maxLength,
  pattern: pattern ?? '^[\\x20-\\x7e]*$',
})
const seconds: JsonSchema = { type: 'integer', format: 'int32', minimum: 0, maximum: 86400 }
const address = text(8192)

/** The headers of answers that programs can use. */
const headers = {
  ETag: ['The tag of this revision in this representation; strong.', text(64, '^"[\\w.-]+"$'), '"7-mhzw6z1t-SVlhtPEh"'],
  'Last-Modified': ['When it last changed.', text(29), 'Sun, 15 Nov 2026 04:05:05 GMT'],
  Location: ['The address of what was created; of the page to see, for a 303.', address, '/customers/7'],
  'Content-Location': ['The address of what the body shows.', address, '/customers/7'],
  Link: [
    'RFC 8288: the pages beside this one, the same thing in other formats, the deal that was meant.',
    address,
    '</customers?after=Ab3>; rel="next"',
  ],
  After: ['The cursor for the content of the next QUERY, of a bare list.', text(8192), 'MDUwZjlkYmVbNDEsMV0'],
  Before: ['The same for the QUERY of the page before.', text(8192), 'NWUxOWE2YjZbM10'],
  'Set-Cookie': [
    'For browsers: the session, or what the next page tells.',
    text(300),
    'dealdesk_session=Ab3; Path=/; HttpOnly; SameSite=Lax',
  ],
  Allow: ['The methods of the address.', text(100), 'GET, HEAD, OPTIONS'],
  'Content-Disposition': [
    'The name of the file, for CSV and NDJSON.',
    text(200),
    'attachment; filename="customers.csv"',
  ],
  Refresh: ['Seconds after which a page is read again.', text(4), '1'],
  Accept: ['The types of a body that are read here.', text(200), 'application/json'],
  'Accept-Patch': ['The types of a patch that are read here.', text(200), 'application/merge-patch+json'],
  'Accept-Query': [
    'The types that the content of a QUERY to this address may have (RFC 10008).',
    text(200),
    'application/json, application/x-www-form-urlencoded',
  ],
  'Accept-Post': ['The types that a POST to this address may have.', text(200), 'application/json'],
  'Accept-Encoding': ['The codings of a body that are read here.', text(20), 'identity'],
  'Preference-Applied': ['The preference that was followed.', text(40), 'return=minimal'],
  'Dry-Run': ['Nothing was stored; this is what would result.', { type: 'string', enum: ['true'] }, 'true'],
  'Idempotent-Replayed': [
    'The request was decided before; this is its answer again.',
    { type: 'string', enum: ['true'] },
    'true',
  ],
  'Request-Id': [
    'The id of this exchange; the end of a problem’s `instance`. One that the request had, if it is 1 to 128 of A-Z a-z 0-9 . _ ~ -.',
    text(128),
    'b809458f30-4',
  ],
  'Retry-After': ['Seconds to wait before the next try.', seconds, 1],
  RateLimit: ['What is left of the limit.', text(200), '"default";r=42;t=10'],
  'RateLimit-Policy': ['The limit.', text(200), '"default";q=600;w=60'],
  'WWW-Authenticate': ['How to say who you are.', text(200), 'Basic realm="Dealdesk", charset="UTF-8"'],
  'Access-Control-Allow-Origin': [
    'The page’s origin, where `CORS_ORIGINS` names it.',
    address,
    'https://app.example.com',
  ],
  Deprecation: ['Since when this version is deprecated (RFC 9745).', text(20, '^@\\d+$'), '@1796083200'],
  Sunset: ['When this version ends (RFC 8594).', text(29), 'Wed, 30 Jun 2027 23:59:59 GMT'],
} as const satisfies Record<string, readonly [string, JsonSchema, string | number]>

export type HeaderName = keyof typeof headers

export const headerComponents = (): { readonly [name: string]: JsonSchema } =>
  Object.fromEntries(
    Object.entries(headers).map(([name, [description, schema, example]]) => [name, { description, schema, example }]),
  )

export const headerReferences = (names: readonly HeaderName[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
