import type { Resource } from '../../../model/declaration/schema.ts'
import { isDeleted } from '../../../model/schema/resources.ts'
import type { Moment, Past, Stored } from '../../../store/port/desk.ts'
import { type Reason, reason } from '../../../values/faults/fault.ts'
import { instant } from '../../../values/kinds/time.ts'
import { deleted } from '../../ask/find.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call } from '../../contract/endpoint.ts'
import { type Problem, wrongParameter } from '../../contract/problems/problem.ts'
import { pastDocument } from '../../respond/documents.ts'
import { addressedId, missingProblem } from './find-thing.ts'

/** The parameters that ask for a past state. */
export const pastNames = ['revision', 'asOf'] as const

export const asksForPast = ({ parameters }: Call): boolean => pastNames.some((name) => parameters.has(name))

/** A thing in a past state. The answer to a revision never changes, even while that revision is the current one. */
export async function readPast(resource: Resource, call: Call): Promise<Answer> {
  const asked = readMoment(call)
  if ('problem' in asked) return asked
  const id = addressedId(resource, call)
  const past: Past = id === undefined ? { missing: 'thing' } : await call.desk.past(resource, id, asked.moment)
  if ('present' in past && isInFuture(asked.moment, past.present)) {
    return { problem: wrongParameter('asOf', reason('in-the-future')) }
  }
  if (!('thing' in past)) return { problem: await missingState(resource, past, asked.moment, call) }
  const { thing, present } = past
  if (isDeleted(thing)) return { problem: deleted(resource, thing) }
  const { addresses } = call.service
  const now = addresses.thing(resource, thing.id)
  return {
    status: 200,
    // RFC 5829: the resource whose versions these are.
    headers: {
      link: `<${now}>; rel="latest-version"`,
      'content-location': addresses.past(resource, thing.id, thing.revision),
    },
    document: pastDocument(resource, thing, addresses),
    shown: { screen: 'past', resource, thing, present },
    validators: { revision: thing.revision, updatedAt: thing.updatedAt },
  }
}

function readMoment({ parameters }: Call): { readonly moment: Moment } | { readonly problem: Problem } {
  const wrong = (parameter: string, why: Reason) => ({ problem: wrongParameter(parameter, why) })
  const revision = parameters.get('revision')
  const asOf = parameters.get('asOf')
  if (revision !== undefined && asOf !== undefined) return wrong('asOf', reason('not-together', { other: 'revision' }))
  if (revision !== undefined) {
    const isNumber = /^[1-9]\d*$/.test(revision) && Number.isSafeInteger(Number(revision))
    return isNumber
      ? { moment: { revision: Number(revision) } }
      : wrong('revision', reason('malformed', { wants: 'integer-from', min: 1 }))
  }
  const read = instant.readText(asOf ?? '')
  if ('fault' in read) return wrong('asOf', read.fault)
  return { moment: { asOf: read.value } }
}

/** A state that the thing itself shows is never in the future, whatever the clock of this instance says. */
function isInFuture(moment: Moment, { updatedAt }: Stored): boolean {
  return 'asOf' in moment && moment.asOf > updatedAt && moment.asOf > new Date().toISOString()
}

async function missingState(
  resource: Resource,
  past: Extract<Past, { readonly missing: string }>,
  moment: Moment,
  call: Call,
): Promise<Problem> {
  if (past.missing === 'thing') return missingProblem(resource, call)
  const kind = 'revision' in moment ? 'revision' : 'asOf'
  const facts = { resource: resource.name, ...moment }
  if (past.missing === 'unrecorded' && (await call.desk.trimmed.of(past.present.id)) > 0) {
    return { code: 'events-trimmed', detail: { text: trimmed[kind], with: facts } }
  }
  const code = 'revision-not-found'
  if (past.missing !== 'later') return { code, detail: { text: missing[past.missing][kind], with: facts } }
  const { revision } = past.present
  return { code, detail: { text: 'The {resource} has reached revision {revision}.', with: { ...facts, revision } } }
}

const trimmed = {
  revision: 'Revision {revision} of the {resource} is no longer kept.',
  asOf: 'The state of the {resource} at {asOf} is no longer kept.',
}

const missing = {
  before: {
    revision: 'The {resource} did not exist in revision {revision}.',
    asOf: 'The {resource} did not exist at {asOf}.',
  },
  unrecorded: {
    revision:
      'Revision {revision} of the {resource} is not recorded: an import or an earlier release changed it without an event.',
    asOf: 'The state of the {resource} at {asOf} is not recorded: an import or an earlier release changed it without an event.',
  },
}
