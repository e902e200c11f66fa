import type { Told } from '../../../languages/tell.ts'
import type { ManagedRefusal } from '../../../model/managed/refusal.ts'
import type { Refusal } from '../../../model/refusal.ts'
import { resourceNamed } from '../../../model/resources.ts'
import type { Schema } from '../../../model/schema.ts'
import type { Query } from '../../../queries/query.ts'
import type { QueryString } from '../../../queries/query-string.ts'
import type { Document } from '../../../representations/document.ts'
import { type Fault, near, type Place, type Reason, reason } from '../../../values/faults/fault.ts'
import type { Json } from '../../../values/kinds/kind.ts'
import { pointerTo } from '../../../values/members.ts'
import type { Role } from '../../../values/role.ts'
import type { Headers, Validators } from '../answer-head.ts'
import type { ShownProblem } from '../shown.ts'
import { quoted } from './bounded-problem.ts'
import { entryWords, fieldWords } from './entry-words.ts'
import { inUseProblem } from './in-use.ts'
import type { ProblemCode } from './problem-types.ts'

/** RFC 9457: a problem, for programs and people. */
export interface Problem {
  readonly code: ProblemCode
  /** Absent if `errors` are the detail. */
  readonly detail?: Told
  readonly errors?: readonly Fault[]
  /** Members of this type of problem only. */
  readonly extra?: { readonly [name: string]: Json }
  readonly headers?: Headers
  /** The current state, if the precondition named another. */
  readonly current?: Validators
  /** Replaces `detail` on a page. */
  readonly plainly?: Told
  /** The screen instead of its usual page; created only for people. */
  readonly screen?: Document['screen']
  /** The screen that renders it. */
  readonly shown?: ShownProblem
}

/** A refused request. */
export interface RefusedCall {
  readonly problem: Problem
}

/** Faults in parameters, which form the detail. */
export const parameterProblem = (errors: readonly Fault[]): Problem => ({
  code: errors.every(({ code }) => code === 'cursor-outdated') ? 'cursor-outdated' : 'invalid-parameter',
  errors,
})

/** One parameter with a fault. */
export const wrongParameter = (parameter: string, why: Reason): Problem =>
  parameterProblem([{ ...why, at: { parameter } }])

/** The faults of a query. In JSON content, each is at its pointer; in an address or a form, at its parameter. */
export const faultsProblem = ({ sentIn, addressed }: QueryString, faults: readonly Fault[]): Problem =>
  parameterProblem(
    faults.map((fault) =>
      sentIn === 'json' && !addressed?.has(fault.at.parameter ?? '') ? inJson(fault) : inAddress(fault),
    ),
  )

function inJson({ at: { parameter = '', pointer = '' }, ...fault }: Fault): Fault {
  return { ...fault, at: { pointer: parameter === '' ? pointer : pointerTo(parameter) + pointer } }
}

function inAddress(fault: Fault): Fault {
  const {
    at: { parameter = '', pointer },
    code,
    with: facts,
  } = fault
  if (pointer === undefined) return fault
  return {
    ...reason('at-pointer', { ...(pointer !== '' && { pointer }), why: reason(code, facts) }),
    at: { parameter },
  }
}

/** The faults of a problem at positions that the client knows. */
export const placedAnew = (problem: Problem, place: (at: Place) => Place): Problem =>
  problem.errors === undefined
    ? problem
    : { ...problem, errors: problem.errors.map((fault) => ({ ...fault, at: place(fault.at) })) }

/** Why a page without items is refused. */
export const emptyList = ({ page, skip }: Query): Problem => ({
  code: 'empty-list',
  detail: page === 1 || skip === 0 ? 'Nothing matches.' : 'There is nothing on this page.',
})

export const headerProblem = (header: string, why: Reason): Problem => ({
  code: 'invalid-header',
  errors: [{ ...why, at: { header } }],
})

/** For a caller whose role does not suffice. */
export function forbidden(
  needed: Role,
  { actor, role }: { readonly actor: string | null; readonly role: Role | null },
): Problem {
  const facts = { needed, actor, role }
  return {
    code: 'forbidden',
    detail: { text: 'This needs the role {needed}; {actor} has {role}.', with: facts },
    plainly: {
      text: 'You are signed in as {actor}, with the role {role}. This needs the role {needed}.',
      with: facts,
    },
  }
}

/** The parts without which there is no answer. */
export const parts = ['service', 'store', 'capacity'] as const

/** Something required is unavailable; the caller may try again after this many seconds. */
export const unavailable = (missing: (typeof parts)[number], reason: string, seconds: number): Problem => ({
  code: 'unavailable',
  detail: `${reason}.`,
  extra: { missing },
  headers: { 'retry-after': String(seconds) },
})

/** The caller has used up their own share; others are not affected. */
export const tooManyRequests = (reason: string, seconds: number): Problem => ({
  code: 'too-many-requests',
  detail: `${reason}.`,
  headers: { 'retry-after': String(seconds) },
})

/** The problem of a refused change of a thing. */
export function thingProblem(refusal: Refusal, schema: Schema): Problem {
  switch (refusal.code) {
    case 'not-found': {
      const { resource, id, by: field } = refusal
      if (field !== undefined) {
        const text = 'There is no {resource} with the {field} {value}.'
        return { code: `${resource}-not-found`, detail: { text, with: { resource, field, value: quoted(id) } } }
      }
      // A number is unquoted, anything else is quoted.
      const isNumber = resourceNamed(schema, resource).kinds.id?.name === 'integer' && /^\d+$/.test(id)
      return {
        code: `${resource}-not-found`,
        detail: { text: 'There is no {resource} {id}.', with: { resource, id: isNumber ? id : quoted(id) } },
      }
    }
    case 'deleted': {
      const { resource, id, deletedAt } = refusal
      return {
        code: `${resource}-deleted`,
        detail: { text: 'The {resource} {id} was deleted at {deletedAt}.', with: { resource, id, deletedAt } },
        extra: { deletedAt },
      }
    }
    case 'not-owner': {
      const { resource, id } = refusal
      const text = 'The {resource} {id} belongs to someone else: only its owner and admins may change it.'
      return { code: 'forbidden', detail: { text, with: { resource, id } } }
    }
    case 'needs-role':
      return forbidden(refusal.needed, refusal)
    case 'in-use':
      return inUseProblem(refusal, schema)
    case 'not-unique': {
      const { code, resource, field, value, other } = refusal
      const text =
        other === undefined
          ? 'Another {resource} has the {field} {value}.'
          : 'The {resource} {other} has the {field} {value}.'
      const facts = { resource, field, value: JSON.stringify(value), ...(other !== undefined && { other }) }
      const said = { ...facts, field: fieldWords(resourceNamed(schema, resource), field) }
      const plainly = { text: 'Another {resource} has the {field} {value}.', with: said }
      return { code, detail: { text, with: facts }, plainly, extra: { field, ...(other !== undefined && { other }) } }
    }
    case 'name-taken': {
      const { code, resource, name } = refusal
      return { code, detail: { text: 'There is already a {resource} called {name}.', with: { resource, name } } }
    }
    case 'too-many-fields': {
      const { code, on, most: count } = refusal
      return { code, detail: { text: 'A {on} has {count} fields of its own, the maximum.', with: { on, count } } }
    }
    case 'building': {
      const { code, field } = refusal
      return { code, detail: { text: 'The index of {field} is being built.', with: { field } }, extra: { field } }
    }
    case 'stage-requires': {
      const { code, pipeline, stage, fields } = refusal
      const text = 'A deal needs these fields to enter {stage}: {fields}.'
      const plainly = { text, with: entryWords(refusal, schema) }
      return { code, detail: { text, with: { stage, fields } }, plainly, extra: { pipeline, stage, fields } }
    }
    case 'closing': {
      const { code, pipeline, stage } = refusal
      const text = 'The stage {stage} of the pipeline {pipeline} is being removed: no deal enters it.'
      return { code, detail: { text, with: { stage, pipeline } }, extra: { pipeline, stage } }
    }
    case 'invalid':
      return invalidBody(refusal.faults)
    case 'unknown-action': {
      const { fault } = refusal
      return { code: refusal.code, detail: { text: '{why}', with: { why: fault } }, errors: [fault] }
    }
    case 'wrong-state': {
      const { operation, reason, resource, thing, allowed } = refusal
      return {
        code: refusal.code,
        detail: { text: '{operation} is not allowed: {why}.', with: { operation, why: reason } },
        extra: { operation, [resource]: thing, allowed },
      }
    }
    case 'command-id-reused': {
      const { command } = refusal
      return {
        code: refusal.code,
        detail: { text: 'Command {command} was decided before with other content.', with: { command } },
      }
    }
    case 'idempotency-key-reused': {
      const { command } = refusal
      return {
        code: refusal.code,
        detail: { text: 'The key {command} was used before for another request.', with: { command } },
      }
    }
    default:
      return refusalProblem(refusal)
  }
}

/** The problem of a precondition that does not hold, or of a refused managed change. */
export function refusalProblem(refusal: ManagedRefusal): Problem {
  switch (refusal.code) {
    case 'missing':
      return { code: `${refusal.on}-not-found`, detail: noSuch(refusal.on, refusal.id) }
    case 'webhook-ended':
      return {
        code: refusal.code,
        detail: { text: 'The webhook ended because {why}.', with: { why: refusal.because } },
      }
    case 'last-admin':
      return {
        code: refusal.code,
        detail: { text: '{user} is the last admin who can sign in.', with: { user: refusal.user } },
      }
    case 'denied':
      return { code: 'forbidden', detail: denials[refusal.why] }
    case 'no-longer-open':
      return { code: 'unauthorized', detail: 'This needs a user or an API key.' }
    case 'needs-role':
      return forbidden(refusal.needed, refusal)
    case 'name-taken': {
      const { name, of: user } = refusal
      return {
        code: refusal.code,
        detail:
          user === undefined
            ? { text: 'There is already a user or key called {name}.', with: { name } }
            : { text: '{user} has a key called {name} already.', with: { user, name } },
      }
    }
    case 'too-many-keys': {
      const { user, most: count } = refusal
      return {
        code: refusal.code,
        detail: { text: '{user} has {count} keys, the maximum.', with: { user, count } },
      }
    }
    case 'no-calendar':
      return {
        code: 'calendar-not-found',
        detail: { text: 'The calendar of {name} has no address.', with: { name: refusal.user } },
      }
    case 'import-under-way':
      return { code: 'wrong-state', detail: 'The import is under way, or it has ended.' }
    case 'not-ready':
      return {
        code: 'wrong-state',
        detail: { text: 'The import is not ready: it is {stage}.', with: { stage: refusal.stage } },
        extra: { stage: refusal.stage },
      }
    case 'nothing-to-undo':
      return { code: 'wrong-state', detail: 'There is nothing to undo: nothing was imported, or it was undone before.' }
    case 'changed-since': {
      const { things } = refusal
      return {
        code: refusal.code,
        detail: 'Things of this import were changed since, or others refer to them. Nothing was undone.',
        extra: { things: things.map((each): Json => ({ ...each })) },
      }
    }
    case 'before-trimmed':
      return { code: 'events-trimmed', detail: 'The states before the import are no longer kept.' }
    case 'password-changed':
      return { code: 'wrong-password', detail: 'The password was changed meanwhile.' }
    // Conditions too: a webhook is refused, not a query.
    case 'invalid':
      return { code: 'invalid-body', errors: refusal.faults }
    case 'revision-required':
      return { code: refusal.code, detail: 'This change needs If-Match with the ETag that it is based on.' }
    case 'stale-revision': {
      const { current } = refusal
      const { revision } = current
      return {
        code: refusal.code,
        detail: { text: 'The current revision is {revision}; the request is based on another.', with: { revision } },
        plainly: 'Somebody changed this while you were editing. Your change is not saved yet.',
        extra: { revision },
        current,
      }
    }
    case 'precondition-failed': {
      const { header = 'The request', current } = refusal
      const text =
        current === undefined
          ? '{header} names a state, but there is none yet.'
          : '{header} excludes the current state.'
      return { code: refusal.code, detail: { text, with: { header } }, ...(current && { current }) }
    }
  }
}

const BY_TOKEN: Told = 'An access token cannot create keys: they would outlive it.'
const OF_ANOTHER: Told = 'Only the user can create the address of a calendar.'

/** Why the caller may not do it. decisions/0054 */
const denials: Readonly<Record<Extract<ManagedRefusal, { readonly code: 'denied' }>['why'], Told>> = {
  program:
    'This is changed by the person alone: a key or an access token cannot change what gives access to its own user.',
  token: BY_TOKEN,
  calendar: OF_ANOTHER,
}

/** For a body with faults, each at its pointer. */
export const invalidBody = (errors: readonly Fault[]): Problem => ({ code: 'invalid-body', errors })

/** One member with a fault. */
export const wrongMember = (pointer: string, why: Reason): Problem => invalidBody([{ ...why, at: { pointer } }])

/** No thing with that id or name, and the nearest one. */
export const noSuch = (resource: string, id: string, meant?: string): Told => ({
  text: meant === undefined ? 'There is no {resource} {id}.' : 'There is no {resource} {id}, did you mean {near}?',
  with: { resource, id: quoted(id), ...near(meant) },
})

/** A request exceeds the limits of an answer; thrown wherever that is noticed. */
export class BeyondBudget extends Error {
  override readonly name = 'BeyondBudget'
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.code)
    this.problem = problem
  }
}
