import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'

/** Problems that are not about one resource, and those of a resource with their own text. */
const known = {
  'cursor-outdated': {
    status: 400,
    title: 'The order of the list has changed',
    meaning:
      'The order of stages or choices has changed since the page that has this link: continuing would skip items.',
    remedy: 'Begin at the first page.',
  },
  'invalid-parameter': {
    status: 400,
    title: 'A query parameter is not usable',
    meaning: 'A parameter is unknown, repeated although it may be given only once, or has a value of the wrong type.',
    remedy: 'Each entry of `errors` names the parameter and what is wrong with it. Nothing was done.',
  },
  'invalid-header': {
    status: 400,
    title: 'A header is not usable',
    meaning: 'A header such as If-Match or Idempotency-Key is not written as its standard asks, or does not fit here.',
    remedy: 'Each entry of `errors` names the header and what is wrong with it. Nothing was done.',
  },
  'query-too-costly': {
    status: 400,
    title: 'The search takes too long',
    meaning:
      'Finding the page took more than 2 seconds of computing, or was not done after 10 seconds and half a second of it, because others search too: its filter searches text, or it is made of groups of many things.',
    remedy:
      'Narrow what is searched with another filter, such as a status, an owner or a range of dates; repeat less in the pattern; leave out `count=exact`; group by a field with fewer values; or take the whole result as NDJSON, for which PostgreSQL has 120 seconds for a statement, and SQLite no limit.',
  },
  'invalid-document': {
    status: 400,
    title: 'The GraphQL document is not usable',
    meaning: 'The document is not GraphQL, or it or its variables do not fit the schema.',
    remedy: '`detail` and `locations` say what is wrong and where. Nothing was done.',
  },
  'query-too-large': {
    status: 400,
    title: 'The query is too large',
    meaning:
      'The answers of one batch have at most 10,000 things and 16 MB together, and what is read for one request at most 32 MiB. A GraphQL request has the bounds of a batch; it is nested at most 12 levels deep, has at most 1,000 fields and 50 operations and fragments, and answers at most 250,000 values.',
    remedy:
      'Ask for smaller pages, for fewer members or related things at once, or in several requests. Of a batch, only the parts that say so were refused.',
  },
  'malformed-body': {
    status: 400,
    title: 'The body cannot be read',
    meaning: 'The body is not JSON in UTF-8, is nested too deeply, has a member twice or one that is never accepted.',
    remedy: 'Send one JSON value, as `Content-Type` says.',
  },
  'malformed-request': {
    status: 400,
    title: 'The request cannot be read',
    meaning: 'The request line, a header or the address is not well-formed HTTP.',
    remedy: 'Check percent escapes in the address and the framing of the request.',
  },
  'ambiguous-form': {
    status: 400,
    title: 'The body mixes two forms',
    meaning: 'The body contains both an `action` and attributes, so it could mean two things.',
    remedy: 'Send either `action` and `params`, or the attributes.',
  },
  'saved-query-refused': {
    status: 409,
    title: 'The saved query no longer works',
    meaning: 'The collection no longer supports a saved query, because it changed with a later release.',
    remedy: 'Change the saved query: each entry of `errors` names the parameter and what is wrong with it.',
  },
  unauthorized: {
    status: 401,
    title: 'You need to sign in',
    meaning: 'The address needs a user or an API key, and the request carries none that is known.',
    remedy: 'Send `Authorization: Basic …` or `Authorization: Bearer …`.',
  },
  forbidden: {
    status: 403,
    title: 'Your role may not do this',
    meaning: 'The credential is known, but its role does not allow this, or the thing belongs to someone else.',
    remedy: 'Ask an administrator for a credential with the role that `detail` names.',
  },
  'unsupported-change': {
    status: 403,
    title: 'This cannot be changed this way',
    meaning:
      'The protocol knows such a change, but this service does not do it: an id that the client chooses, or a relation to many changed as a whole.',
    remedy: '`detail` says what is possible instead.',
  },
  'sign-in-refused': {
    status: 403,
    title: 'The sign-in did not work',
    meaning: 'The OpenID provider did not confirm who you are, did not answer, or gives you no role here.',
    remedy: 'Try again; an administrator can see in the audit what is missing.',
  },
  'wrong-password': {
    status: 403,
    title: 'The name or the password is wrong',
    meaning: 'No enabled user has this name and password.',
    remedy: 'Try again; an administrator can give a new link to set a password.',
  },
  'sign-in-again': {
    status: 403,
    title: 'Sign in again',
    meaning:
      'One’s own e-mail address, password, keys, calendar and invitations are changed within ten minutes of a sign-in.',
    remedy: 'Sign in again, or send your `password` with the change.',
  },
  'wrong-code': {
    status: 403,
    title: 'The code is wrong',
    meaning: 'The code for the first administrator is wrong, was tried too often, or is older than an hour.',
    remedy:
      'The code is in the log of the service, or of another instance; a restart after its expiry creates a new one.',
  },
  'cross-site-request': {
    status: 403,
    title: 'Sent from another site',
    meaning: 'A page of another site made the browser send a change, perhaps without its user knowing.',
    remedy:
      'Send changes from this service’s own pages, or with an API key; CORS_ORIGINS names sites that are trusted.',
  },
  'not-found': {
    status: 404,
    title: 'There is nothing at this address',
    meaning: 'No resource, operation or collection has this address.',
    remedy: 'Start from `/`, which links to everything there is.',
  },
  'unknown-version': {
    status: 404,
    title: 'Unknown version of the interface',
    meaning: 'The version in the path is not served.',
    remedy: '`GET /rest` lists the versions.',
  },
  'deal-not-found': {
    status: 404,
    title: 'No such deal',
    meaning: 'No deal has this id, or it was purged after its deletion.',
    remedy: 'Check the id.',
  },
  'customer-not-found': {
    status: 404,
    title: 'No such customer',
    meaning: 'No customer has this id.',
    remedy: 'Check the id.',
  },
  'command-not-found': {
    status: 404,
    title: 'No such command',
    meaning: 'No command was decided under this id, or it was about another thing.',
    remedy: 'It is safe to send the command: it will be decided once.',
  },
  'entry-not-found': {
    status: 404,
    title: 'No such entry',
    meaning: 'No entry has this number in this collection.',
    remedy: 'Read the collection, or the whole history.',
  },
  'revision-not-found': {
    status: 404,
    title: 'No such revision',
    meaning:
      'The requested `revision` or `asOf` is before the thing existed, or after its latest revision, or no event records its state then.',
    remedy:
      'Read its history, whose entries name their revisions; without the parameter the answer is the current state.',
  },
  'webhook-not-found': {
    status: 404,
    title: 'No such webhook',
    meaning: 'No webhook has this id, or it was removed.',
    remedy: 'Check the id; `GET /webhooks` lists them.',
  },
  'delivery-not-found': {
    status: 404,
    title: 'No such delivery',
    meaning: 'The webhook has no delivery with this number, or it was trimmed with old ones.',
    remedy: 'Read the deliveries of the webhook.',
  },
  'user-not-found': {
    status: 404,
    title: 'No such user',
    meaning: 'No user has this name.',
    remedy: 'Check the name; `GET /people` lists those who can sign in.',
  },
  'key-not-found': {
    status: 404,
    title: 'No such key',
    meaning: 'The user has no key of this name, or it was withdrawn.',
    remedy: 'Read the keys of the user.',
  },
  'session-not-found': {
    status: 404,
    title: 'No such session',
    meaning: 'The user has no session with this id, or it has ended.',
    remedy: 'Nothing needs to be done if it should end; otherwise read the sessions of the user.',
  },
  'invitation-not-found': {
    status: 404,
    title: 'The link is no longer valid',
    meaning: 'The link was used, replaced by another, or has expired.',
    remedy: 'Ask an administrator for a new one.',
  },
  'calendar-not-found': {
    status: 404,
    title: 'No such calendar',
    meaning: 'The address was revoked, replaced by another, or belongs to nobody who may sign in.',
    remedy: 'Create a new address on your user page.',
  },
  'empty-list': {
    status: 404,
    title: 'Nothing matches',
    meaning: 'The list would be empty, for which this address answers 404.',
    remedy: 'Nothing needs to be done: the query was understood.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The address does not support this method',
    meaning: 'The address exists, but not for this method.',
    remedy: 'The `Allow` header lists the methods.',
  },
  'not-acceptable': {
    status: 406,
    title: 'No such representation',
    meaning: 'The resource is not available in any of the requested types.',
    remedy: '`available` lists the types.',
  },
  'wrong-state': {
    status: 409,
    title: 'The current state does not allow this',
    meaning: 'The operation is not allowed in the current state of the thing.',
    remedy:
      '`deal`, or the member named after another resource, tells the state; `allowed` lists the operations that are allowed now.',
  },
  'identity-conflict': {
    status: 409,
    title: 'The type or the id differs from the address',
    meaning: 'A resource object in JSON:API has the type and the id of the address that it is sent to.',
    remedy: 'Send it to its own address, or correct `type` and `id`.',
  },
  'batch-refused': {
    status: 409,
    title: 'The batch was refused',
    meaning: 'A command of an atomic batch is not possible, so none of them took effect and no command id was stored.',
    remedy:
      '`results` has every refusal by the index of its command, with its own problem; what names the thing of a refused one is `not-tried`. Correct them and send the whole batch again.',
  },
  'no-provider': {
    status: 409,
    title: 'There is no OpenID provider',
    meaning: 'A user cannot be linked to an OpenID provider, because none is set.',
    remedy: 'Set OIDC_ISSUER and its related settings, and restart the service.',
  },
  'not-allowed': {
    status: 403,
    title: 'Your role may not do this with this one',
    meaning:
      'You may see this, and your role does not allow the operation with it. `allowed` has those that it allows.',
    remedy: 'Ask an admin: the grants of your role decide, and `/roles` tells them.',
  },
  'built-in': {
    status: 409,
    title: 'This role is part of the service',
    meaning: 'The roles reader, editor and admin are there from the beginning: they are neither changed nor removed.',
    remedy: 'Add a role of your own, with the grants of the other one and what differs.',
  },
  'last-admin': {
    status: 409,
    title: 'This is the last admin',
    meaning: 'The last enabled admin who can sign in cannot be removed, disabled or given another role.',
    remedy: 'Make another user an admin first, who has a password or signs in at the provider.',
  },
  'name-taken': {
    status: 409,
    title: 'The name is taken',
    meaning:
      'The name is taken by a user, by a key without a user, by another key of this user, or by another thing of its kind. The name of a field is never used again, whatever its case.',
    remedy: 'Choose another name.',
  },
  'too-many-keys': {
    status: 409,
    title: 'The user has too many keys',
    meaning: 'A user has at most 50 keys.',
    remedy: 'Withdraw a key that nothing uses any more.',
  },
  'too-many-fields': {
    status: 409,
    title: 'There are too many fields',
    meaning: 'Admins can add 200 fields to a kind of thing; retired ones do not count.',
    remedy: 'Retire a field that nobody needs any more.',
  },
  'not-unique': {
    status: 409,
    title: 'Another one has this value',
    meaning: 'The field that `field` names is unique, and another thing has the value; deleted ones keep theirs.',
    remedy: 'Use another value, or change the thing that `other` names.',
  },
  building: {
    status: 409,
    title: 'The field is being indexed',
    meaning: 'A field that was made unique names things once all their values are in its index.',
    remedy: 'Wait until the `state` of the field is `ready`, or name the thing by its id.',
  },
  'stage-requires': {
    status: 409,
    title: 'The stage requires fields that are empty',
    meaning: 'A deal enters a stage only with the fields that the stage requires; those in `fields` are empty.',
    remedy: 'Set them, in the same request or before.',
  },
  closing: {
    status: 409,
    title: 'The stage is being removed',
    meaning: 'The stage, or its pipeline, is being removed: its deals move elsewhere, and none enters it.',
    remedy: 'Choose another stage.',
  },
  'command-id-reused': {
    status: 409,
    title: 'The command id was used for something else',
    meaning: 'A command with this id was decided before, with other content.',
    remedy: 'Choose a new id for a new command.',
  },
  'customer-in-use': {
    status: 409,
    title: 'Deals refer to this customer',
    meaning: 'A customer cannot be deleted while any deal, including deleted ones, refers to it.',
    remedy: 'Give those deals another customer first.',
  },
  'in-use': {
    status: 409,
    title: 'Something uses it',
    meaning:
      'Saved views that are shared, or webhooks, have conditions that would no longer be understood; or an added field of other things refers to it; or deals are in a pipeline or stage that is removed, or things have a choice that is left out.',
    remedy:
      '`usedBy` lists the first 50 conditions or things: change them first. `count` tells how many things there are: say with `moveTo` where they move, or with `replaceBy` which choice they get. `needed` is a pipeline that stays: make another one the default, or wait until others have moved.',
  },
  'changed-since': {
    status: 409,
    title: 'Something was changed since',
    meaning:
      'An import is undone as a whole: not if something that it created or changed was changed since, or something new refers to it.',
    remedy: '`things` lists the first 50 of them. Correct these by hand, or leave the import as it is.',
  },
  'webhook-ended': {
    status: 409,
    title: 'The webhook has ended',
    meaning: 'The receiver said that it is gone, so nothing is delivered to it any more.',
    remedy: 'Subscribe again when the receiver is back.',
  },
  'deal-deleted': {
    status: 410,
    title: 'The deal is deleted',
    meaning: 'The deal was deleted. For 30 days it can be restored; its history stays readable.',
    remedy: 'Restore it with the operation `restore`.',
  },
  'events-trimmed': {
    status: 410,
    title: 'These events are no longer kept',
    meaning:
      'Events are kept for a time (`KEEP_EVENTS`). The requested position is before the beginning of the feed, so that events would be missed, or the event of the requested revision was removed.',
    remedy:
      'Read the present state. To follow the feed, continue with the events from `begin`, the first that is kept.',
  },
  'stale-revision': {
    status: 412,
    title: 'It has changed in the meantime',
    meaning: 'The revision that the change is based on is no longer the current one.',
    remedy: 'Read it again, look at what changed, and repeat with the new ETag.',
  },
  'precondition-failed': {
    status: 412,
    title: 'A precondition does not hold',
    meaning: 'If-None-Match excludes the current state, or If-Match names a state although there is none yet.',
    remedy: 'Nothing was done. Read it, and repeat with headers that fit, or without them.',
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    meaning: 'A body may have 1 MiB, a file that is imported in the browser 50 MB.',
    remedy: 'Send less at once. Larger files are imported on the command line.',
  },
  'address-too-long': {
    status: 414,
    title: 'The address is too long',
    meaning: 'An address, with its query, may have 8 KiB.',
    remedy: 'Ask with fewer filter terms.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The type of the body is not supported here',
    meaning: 'Bodies are JSON; PATCH also takes a merge patch, POST also an HTML form.',
    remedy: 'Send one of the types that `detail` and the header `Accept` or `Accept-Patch` name.',
  },
  'misdirected-request': {
    status: 421,
    title: 'Unknown host name',
    meaning: 'Without users the service answers only to loopback host names.',
    remedy: 'Ask it as 127.0.0.1 or localhost, or add a user.',
  },
  'invalid-body': {
    status: 422,
    title: 'The body is incomplete or invalid',
    meaning: 'The body could be read, but members are missing, unknown or have values that are not accepted.',
    remedy: 'Each entry of `errors` points at a member and says what is wrong with it. Nothing was stored.',
  },
  'unknown-action': {
    status: 422,
    title: 'No such operation',
    meaning: 'The action is not the name of an operation that can be done here.',
    remedy:
      'The address of a thing with `/actions` behind it, such as `GET …/deals/{id}/actions`, lists its operations.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The idempotency key was used for something else',
    meaning: 'A request under this key was decided before, with other content.',
    remedy: 'Choose a new key for a new request.',
  },
  'revision-required': {
    status: 428,
    title: 'The change must state its revision',
    meaning: 'This service asks for If-Match with every change.',
    remedy: 'Read the resource and send its ETag as `If-Match`.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    meaning:
      'More requests than the limit allows came from this user or address, or the user has too many live streams open.',
    remedy: 'Wait as long as `Retry-After` says.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are too large',
    meaning: 'The headers of a request may have 16 KiB.',
    remedy: 'Send fewer or shorter headers.',
  },
  'internal-error': {
    status: 500,
    title: 'A defect of this service',
    meaning: 'An unexpected error occurred. It was logged under the id in `instance`.',
    remedy: 'Send the id to the operator. A write may be repeated under its command id or idempotency key.',
  },
  'not-implemented': {
    status: 501,
    title: 'Not part of this service',
    meaning: 'The request uses an unknown method or transfer coding.',
    remedy: 'Use a method of HTTP, in capitals, and `Content-Length` or `Transfer-Encoding: chunked`.',
  },
  'set-up-required': {
    status: 503,
    title: 'Not set up yet',
    meaning: 'Nobody can sign in to this service yet.',
    remedy: 'Open `/set-up` with the code from the log of the service, and create the first administrator.',
  },
  unavailable: {
    status: 503,
    title: 'Not able to answer now',
    meaning:
      'The store cannot be reached or is overloaded, or the service is stopping. `missing` says which part is missing. Nothing was acknowledged.',
    remedy: 'Try again after the seconds in `Retry-After`, writes under a command id or idempotency key.',
  },
  'unsupported-http-version': {
    status: 505,
    title: 'Unknown version of HTTP',
    meaning: 'The request is neither HTTP/1.0 nor HTTP/1.1.',
    remedy: 'Use HTTP/1.1.',
  },
} as const satisfies Record<string, ProblemType>

export interface ProblemType {
  readonly status: number
  readonly title: string
  readonly meaning: string
  readonly remedy: string
}

/** Every resource can be missing, deleted or in use. */
export type ProblemCode = keyof typeof known | `${string}-${keyof typeof ofResources}`

/** Every problem that the service can answer with: the one table of statuses, titles and explanations. */
export const problemTypes = bySchema(({ resources, audited }: Schema): { readonly [code: string]: ProblemType } => ({
  ...typed(resources.flatMap(codesOf)),
  ...known,
  ...typed(audited.flatMap(missingOf)),
}))

const typed = (codes: readonly ProblemCode[]) => Object.fromEntries(codes.map((code) => [code, problemType(code)]))

export function problemType(code: ProblemCode): ProblemType {
  if (isKnown(code)) return known[code]
  const [, resource = '', what] = /^(.+)-(not-found|deleted)$/.exec(code) ?? []
  if (what === undefined) throw new Error(`there is no problem ${code}`)
  return ofResources[what as keyof typeof ofResources](resource)
}

const isKnown = (code: string): code is keyof typeof known => Object.hasOwn(known, code)

const ofResources = {
  'not-found': (name: string) => ({
    status: 404,
    title: `No such ${name}`,
    meaning: `No ${name} has this id.`,
    remedy: 'Check the id.',
  }),
  deleted: (name: string) => ({
    status: 410,
    title: `The ${name} is deleted`,
    meaning: `The ${name} was deleted; its history stays readable.`,
    remedy: 'Restore it where there is an operation for that.',
  }),
}

/** No address names a single entry of the audit. */
const missingOf = ({ name, operations }: Resource): readonly ProblemCode[] =>
  operations.length === 0 ? [] : [`${name}-not-found`]

const codesOf = (resource: Resource): readonly ProblemCode[] => [
  `${resource.name}-not-found`,
  ...(resource.keepsDeleted ? ([`${resource.name}-deleted`] as const) : []),
]

/** The problem of a thing that others refer to. */
export function inUseCode({ name }: Pick<Resource, 'name'>): ProblemCode {
  const code = `${name}-in-use`
  return isKnown(code) ? code : 'in-use'
}
