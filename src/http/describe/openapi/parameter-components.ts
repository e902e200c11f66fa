import { importable } from '../../../imports/rows/importable.ts'
import type { Schema } from '../../../model/declaration/schema.ts'
import { type Collection, fieldOf } from '../../../queries/collection.ts'
import { collectionsOf } from '../../../queries/collections.ts'
import { SEARCH } from '../../../queries/dialects/search.ts'
import { otherNamesOf } from '../../../queries/settings.ts'
import { representations } from '../../../representations/representations.ts'
import { queryBounds } from '../../../values/bounds.ts'
import type { Json } from '../../../values/json/json.ts'
import type { JsonSchema } from '../../../values/kinds/kind.ts'
import { capitalized } from '../../../values/kinds/text.ts'
import { instant } from '../../../values/kinds/time.ts'
import { collectionParameters } from './collection-parameters.ts'
import { header, path, query, setting } from './parameter.ts'
import { exampleDealId } from './schemas/examples.ts'
import { filterComponents } from './schemas/filters.ts'
import { titleOf } from './schemas/item-schemas.ts'
import { addressText, kindSchema, limited, ownText } from './schemas/schema.ts'

type Parameters = { readonly [name: string]: JsonSchema }

/** The shared parameters, by name. */
export const parameterComponents = (schema: Schema): Parameters => {
  const collections = Object.values(collectionsOf(schema))
  return {
    ...Object.fromEntries(collections.map((each) => [keyName(each), keyParameter(each)])),
    ...ofAddresses,
    ...ofAnswers,
    ...ofDocuments,
    ...ofReports,
    ...ofImports(schema),
    ...ofLists,
    ...ofOtherNames,
    ...conditions,
    ...ofWrites,
    ...ofStreams,
    ...Object.fromEntries(collections.flatMap(collectionParameters)),
    ...Object.fromEntries([...filterComponents(schema).values()].flat()),
  }
}

/** The parameters that are neither the key of a collection nor described on their own. */
const ofAddresses: Parameters = Object.fromEntries(
  ['field', 'value', 'token', 'secret'].map((name) => [
    addressedName(name),
    path(name, 'What is addressed.', addressText, '1'),
  ]),
)

/** The other names of the settings that reads of one thing take too. */
const ofOtherNames: Parameters = Object.fromEntries(
  (['fields', 'expand'] as const).flatMap((name) =>
    otherNamesOf(name).map((other) => [otherName(other), query(other, `The same as \`${name}\`.`, ownText(1000))]),
  ),
)

/** The name of the component for a part of an address. */
export function addressedName(name: string): string {
  return `Addressed${capitalized(name)}`
}

/** The name of the component for one: `Select`, `DollarSelect`. */
export function otherName(spelling: string): string {
  return spelling.replace('$', 'dollar-').split('-').map(capitalized).join('')
}

/** The name of the component for a collection's key: `CustomerId`, `DeliveryNumber`. */
export function keyName(collection: Collection): string {
  return titleOf(collection) + capitalized(collection.key)
}

/** The names of keys in paths, if they differ from the field's. */
export const keysInPaths: { readonly [collection: string]: string } = {
  history: 'n',
  commands: 'command',
  keys: 'key',
  sessions: 'session',
}

function keyParameter(collection: Collection): JsonSchema {
  const name = keysInPaths[collection.name] ?? collection.key
  if (name === 'command') {
    return path(name, 'An id of the client’s own; it must not end like a format (`.json`).', commandId, 'pay-0001')
  }
  const { kind } = fieldOf(collection, collection.key)
  return path(name, `The ${collection.item}.`, kindSchema(kind.schema, collection.schema), exampleKeys[kind.name] ?? 1)
}

const exampleKeys: { readonly [kind: string]: Json } = { uuid: exampleDealId, text: 'mila' }

const integer = (minimum: number, maximum: number): JsonSchema => limited({ type: 'integer', minimum, maximum })
const tags = { type: 'string', maxLength: 4096, pattern: '^(\\*|(W/)?"[^"]*"(\\s*,\\s*(W/)?"[^"]*")*)$' }
const commandId = { type: 'string', minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9._~-]+$' }

/** A form sends every field, also an empty one. */
const dayOrEmpty: JsonSchema = { type: 'string', maxLength: 10, pattern: '^(\\d{4}-\\d{2}-\\d{2})?$' }

const ofAnswers: Parameters = {
  Format: query(
    'format',
    'The representation, before what `Accept` says. A suffix of the path (`.csv`) does the same on GET.',
    { type: 'string', enum: representations.map(({ name }) => name) },
  ),
  Search: query(
    SEARCH,
    'What to look for: each word must occur in a searched field.',
    { ...ownText(queryBounds.search), minLength: 1 },
    'ana',
  ),
  Return: query('return', 'Where to go after the sign-in: a local path; anything else is left alone.', ownText(8192)),
  Revision: query(
    'revision',
    'The thing as this revision left it, read-only. Not together with `asOf`.',
    integer(1, Number.MAX_SAFE_INTEGER),
  ),
  AsOf: query('asOf', 'The thing as it was at this instant, read-only.', limited(instant.schema)),
}

const ofDocuments: Parameters = {
  DocumentForm: query('form', 'Only this form of the operations, such as `verb`.', ownText(64)),
  DocumentDoor: query('door', 'The addresses of a door, in place of all this.', ownText(64)),
  DocumentTag: query('tag', 'Only this resource, such as `deals`.', ownText(64)),
}

const ofReports: Parameters = {
  From: query('from', 'The first day of a report; empty for its usual one.', dayOrEmpty),
  Until: query('until', 'The last day of a report; empty for its usual one.', dayOrEmpty),
  Person: query('person', 'Whose deals, or who did it; `me` is the caller.', ownText(200)),
  Pipeline: query('pipeline', 'The pipeline whose deals are counted; empty for all.', ownText(64)),
}

const ofImports = (schema: Schema): Parameters => ({
  ImportOn: query('on', 'What the file holds.', { type: 'string', enum: importable(schema).map(({ name }) => name) }),
  FileName: query('name', 'The name of the file, if the body is the file itself.', ownText(200)),
  CreateMissing: query('create', 'Creates customers that rows name and that do not exist.', {
    type: 'string',
    enum: ['missing'],
  }),
  BadCells: query('bad-cells', 'Leaves optional cells empty that cannot be read, and lists them.', {
    type: 'string',
    enum: ['empty'],
  }),
})

const ofLists: Parameters = {
  Page: setting(
    'page',
    'From 1. Links continue with `after`, which costs the same on every page.',
    integer(1, Number.MAX_SAFE_INTEGER),
  ),
  Offset: setting(
    'offset',
    'The number of items before the page, in place of its number. Links continue with `after`.',
    integer(0, Number.MAX_SAFE_INTEGER),
  ),
  MaxPageSize: setting('maxpagesize', 'At most so many items; more than 1000 is taken for 1000.', {
    type: 'integer',
    format: 'int64',
    minimum: 1,
    maximum: 1e21,
    default: 50,
  }),
  After: setting('after', 'Continues a list; taken from its `next` link.', ownText(8000)),
  Before: setting('before', 'Goes back in a list; taken from its `prev` link.', ownText(8000)),
  Count: setting('count', 'Counts all that match, as `total`.', { type: 'string', enum: ['exact'] }),
  Empty: setting('empty', 'Answers 404 when nothing matches.', { type: 'string', enum: ['404'] }),
  Shown: setting(
    'shown',
    'With CSV and XLSX: the columns, headings, labels, names, dates and decimals that the page has for its reader.',
    { type: 'string', enum: ['true', 'false'] },
  ),
}

const conditions: Parameters = {
  IfMatch: header(
    'If-Match',
    'The state that the request is built on; 412 when it is no longer the current one.',
    tags,
    '"7-mhzw6z1t-SVlhtPEh"',
  ),
  IfNoneMatch: header(
    'If-None-Match',
    'A read answers 304 when this is still the current one; a write 412. At a command’s address a write means the command.',
    tags,
    '"7-mhzw6z1t-SVlhtPEh"',
  ),
  IfModifiedSince: header(
    'If-Modified-Since',
    'The same as `If-None-Match` by time, when no tag is sent.',
    ownText(40),
    'Sun, 15 Nov 2026 04:05:05 GMT',
  ),
  IfUnmodifiedSince: header(
    'If-Unmodified-Since',
    'The same as `If-Match` by time, when no tag is sent.',
    ownText(40),
    'Sun, 15 Nov 2026 04:05:05 GMT',
  ),
}

const ofWrites: Parameters = {
  DryRun: query('dry-run', 'Only try: the same checks, nothing is stored; the answer shows what would result.', {
    type: 'boolean',
  }),
  MoveTo: query('moveTo', 'The pipeline to which its deals move.', ownText(40)),
  IdempotencyKey: header(
    'Idempotency-Key',
    'An id of the client’s own: however often the request is sent, it is decided once. The same ids as those of commands.',
    { type: 'string', minLength: 1, maxLength: 130, pattern: '^("[A-Za-z0-9._~-]+"|[A-Za-z0-9._~-]+)$' },
    '"9f1c-42"',
  ),
  Prefer: header('Prefer', '`return=minimal`: the answer’s headers are enough.', ownText(200), 'return=minimal'),
}

const ofStreams: Parameters = {
  Snapshot: query('snapshot', 'For a stream: begins with what matches now.', { type: 'boolean', default: false }),
  LastEventId: header('Last-Event-ID', 'Continues a stream behind this event.', ownText(100), '0000000000000042'),
}
