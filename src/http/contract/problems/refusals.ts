import type { Told } from '../../../languages/tell.ts'
import type { Refusal } from '../../../model/declaration/refusal.ts'
import type { Schema } from '../../../model/declaration/schema.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import type { GuardRefusal } from '../../../values/guard.ts'
import type { Json } from '../../../values/json/json.ts'
import { quoted } from './bounded-problem.ts'
import { entryWords, fieldWords } from './entry-words.ts'
import { inUseProblem } from './in-use.ts'
import { notGranted } from './not-granted.ts'
import { forbidden, invalidBody, noSuch, type Problem } from './problem.ts'

/** The problem of a refused change. */
export const refusalProblem = (refusal: Refusal, schema: Schema): Problem =>
  (told[refusal.code] as (refusal: Refusal, schema: Schema) => Problem)(refusal, schema)

/** The problem of a precondition that does not hold. */
export const guardProblem = (refusal: GuardRefusal): Problem =>
  (ofGuards[refusal.code] as (refusal: GuardRefusal) => Problem)(refusal)

type Telling = {
  readonly [C in Refusal['code']]: (refusal: Extract<Refusal, { readonly code: C }>, schema: Schema) => Problem
}

const ofGuards: {
  readonly [C in GuardRefusal['code']]: (refusal: Extract<GuardRefusal, { readonly code: C }>) => Problem
} = {
  'revision-required': ({ code }) => ({
    code,
    detail: 'This change needs If-Match with the ETag that it is based on.',
  }),
  'stale-revision': ({ code, current }) => ({
    code,
    detail: {
      text: 'The current revision is {revision}; the request is based on another.',
      with: { revision: current.revision },
    },
    plainly: 'Somebody changed this while you were editing. Your change is not saved yet.',
    extra: { revision: current.revision },
    current,
  }),
  'precondition-failed': ({ code, header = 'The request', current }) => ({
    code,
    detail: {
      text:
        current === undefined
          ? '{header} names a state, but there is none yet.'
          : '{header} excludes the current state.',
      with: { header },
    },
    ...(current && { current }),
  }),
}

const told: Telling = {
  ...ofGuards,
  'not-found': ({ resource, id, by: field }, schema) => ({
    code: `${resource}-not-found`,
    detail: field === undefined ? noSuchThing(resource, id, schema) : noSuchValue(resource, field, id),
  }),
  deleted: ({ resource, id, deletedAt }) => ({
    code: `${resource}-deleted`,
    detail: { text: 'The {resource} {id} was deleted at {deletedAt}.', with: { resource, id, deletedAt } },
    extra: { deletedAt },
  }),
  'not-owner': ({ resource, id }) => ({
    code: 'forbidden',
    detail: {
      text: 'The {resource} {id} belongs to someone else: only its owner and admins may change it.',
      with: { resource, id },
    },
  }),
  'not-granted': ({ resource, roles }) => notGranted(roles, resource),
  'not-allowed': ({ code, resource, id, operation, allowed }) => ({
    code,
    detail: {
      text: 'Your role does not allow {operation} with the {resource} {id}.',
      with: { operation, resource, id },
    },
    plainly: 'Your role does not allow this here.',
    extra: { operation, allowed },
  }),
  'needs-role': (refusal) => forbidden(refusal.needed, refusal),
  denied: ({ why }) => ({ code: 'forbidden', detail: denials[why] }),
  'no-longer-open': () => ({ code: 'unauthorized', detail: 'This needs a user or an API key.' }),
  'in-use': inUseProblem,
  'not-unique'({ code, resource, field, value, other }, schema) {
    const text =
      other === undefined
        ? 'Another {resource} has the {field} {value}.'
        : 'The {resource} {other} has the {field} {value}.'
    const facts = { resource, field, value: JSON.stringify(value), ...(other !== undefined && { other }) }
    const said = { ...facts, field: fieldWords(resourceNamed(schema, resource), field) }
    const plainly = { text: 'Another {resource} has the {field} {value}.', with: said }
    return { code, detail: { text, with: facts }, plainly, extra: { field, ...(other !== undefined && { other }) } }
  },
  'name-taken': ({ code, resource, name, of: user }) => ({
    code,
    detail:
      user !== undefined
        ? { text: '{user} has a key called {name} already.', with: { user, name } }
        : sharesNames.has(resource)
          ? { text: 'There is already a user or key called {name}.', with: { name } }
          : { text: 'There is already a {resource} called {name}.', with: { resource, name } },
  }),
  'too-many-fields': ({ code, on, most: count }) => ({
    code,
    detail: { text: 'A {on} has {count} fields of its own, the maximum.', with: { on, count } },
  }),
  building: ({ code, field }) => ({
    code,
    detail: { text: 'The index of {field} is being built.', with: { field } },
    extra: { field },
  }),
  'stage-requires'(refusal, schema) {
    const { code, pipeline, stage, fields } = refusal
    const text = 'A deal needs these fields to enter {stage}: {fields}.'
    const plainly = { text, with: entryWords(refusal, schema) }
    return { code, detail: { text, with: { stage, fields } }, plainly, extra: { pipeline, stage, fields } }
  },
  closing: ({ code, pipeline, stage }) => ({
    code,
    detail: {
      text: 'The stage {stage} of the pipeline {pipeline} is being removed: no deal enters it.',
      with: { stage, pipeline },
    },
    extra: { pipeline, stage },
  }),
  invalid: ({ faults }) => invalidBody(faults),
  'unknown-action': ({ code, fault }) => ({
    code,
    detail: { text: '{why}', with: { why: fault } },
    errors: [fault],
  }),
  'wrong-state': ({ code, operation, reason, resource, thing, allowed }) => ({
    code,
    detail: { text: '{operation} is not allowed: {why}.', with: { operation, why: reason } },
    extra: { operation, [resource]: thing, allowed },
  }),
  'command-id-reused': ({ code, command }) => ({
    code,
    detail: { text: 'Command {command} was decided before with other content.', with: { command } },
  }),
  'idempotency-key-reused': ({ code, command }) => ({
    code,
    detail: { text: 'The key {command} was used before for another request.', with: { command } },
  }),
  'built-in': ({ code, role }) => ({
    code,
    detail: { text: 'The role {role} is part of the service: it is neither changed nor removed.', with: { role } },
  }),
  'last-admin': ({ code, user }) => ({
    code,
    detail: { text: '{user} is the last admin who can sign in.', with: { user } },
  }),
  'too-many-keys': ({ code, user, most: count }) => ({
    code,
    detail: { text: '{user} has {count} keys, the maximum.', with: { user, count } },
  }),
  'no-calendar': ({ user: name }) => ({
    code: 'calendar-not-found',
    detail: { text: 'The calendar of {name} has no address.', with: { name } },
  }),
  'password-changed': () => ({ code: 'wrong-password', detail: 'The password was changed meanwhile.' }),
  'webhook-ended': ({ code, because }) => ({
    code,
    detail: { text: 'The webhook ended because {why}.', with: { why: because } },
  }),
  'import-under-way': () => ({ code: 'wrong-state', detail: 'The import is under way, or it has ended.' }),
  'not-ready': ({ stage }) => ({
    code: 'wrong-state',
    detail: { text: 'The import is not ready: it is {stage}.', with: { stage } },
    extra: { stage },
  }),
  'nothing-to-undo': () => ({
    code: 'wrong-state',
    detail: 'There is nothing to undo: nothing was imported, or it was undone before.',
  }),
  'changed-since': ({ code, things }) => ({
    code,
    detail: 'Things of this import were changed since, or others refer to them. Nothing was undone.',
    extra: { things: things.map((each): Json => ({ ...each })) },
  }),
  'before-trimmed': () => ({ code: 'events-trimmed', detail: 'The states before the import are no longer kept.' }),
}

/** A number is unquoted, anything else is quoted. */
function noSuchThing(resource: string, id: string, schema: Schema): Told {
  const isNumber = resourceNamed(schema, resource).kinds.id?.name === 'integer' && /^\d+$/.test(id)
  return isNumber ? { text: 'There is no {resource} {id}.', with: { resource, id } } : noSuch(resource, id)
}

const noSuchValue = (resource: string, field: string, value: string): Told => ({
  text: 'There is no {resource} with the {field} {value}.',
  with: { resource, field, value: quoted(value) },
})

/** A user and a key without one have no name in common. */
const sharesNames: ReadonlySet<string> = new Set(['user', 'key'])

const BY_TOKEN: Told = 'An access token cannot create keys: they would outlive it.'
const OF_ANOTHER: Told = 'Only the user can create the address of a calendar.'

/** Why the caller may not do it. decisions/0054 */
const denials: Readonly<Record<Extract<Refusal, { readonly code: 'denied' }>['why'], Told>> = {
  program:
    'This is changed by the person alone: a key or an access token cannot change what gives access to its own user.',
  token: BY_TOKEN,
  calendar: OF_ANOTHER,
}
