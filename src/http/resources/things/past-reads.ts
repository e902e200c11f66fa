import { maySee } from '../../../model/perform/privacy.ts'
import type { Resource } from '../../../model/resource.ts'
import { isDeleted } from '../../../model/resources.ts'
import type { Moment, Past, Stored } from '../../../store/port/store.ts'
import { instant } from '../../../values/kinds/time.ts'
import { lazily } from '../../../values/lazily.ts'
import type { Answer } from '../../answer.ts'
import { claimantOf } from '../../ask/claimant.ts'
import { deleted } from '../../ask/find.ts'
import type { Call } from '../../endpoint.ts'
import { pastDocument } from '../../respond/documents.ts'
import { type Problem, parameterProblem } from '../../respond/problems/problem.ts'
import { addressedId, missingProblem } from './find-thing.ts'

const pastViews = lazily(() => import('../../../views/past/view.ts'))

/** The parameters that ask for a thing as it was. */
export const pastNames = ['revision', 'asOf'] as const

export const asksForPast = ({ parameters }: Call): boolean => pastNames.some((name) => parameters.has(name))

/** A thing as it was. The answer to a revision stays the same for ever, also while that revision is the present one. */
export async function readPast(resource: Resource, call: Call): Promise<Answer> {
  const asked = readMoment(call)
  if ('problem' in asked) return asked
  const id = addressedId(resource, call)
  const past: Past = id === undefined ? { missing: 'thing' } : await call.service.store.past(resource, id, asked.moment)
  if ('present' in past && !maySee(resource, past.present, claimantOf(call))) {
    return { problem: missingProblem(resource, call) }
  }
  if ('present' in past && isInFuture(asked.moment, past.present)) {
    return { problem: parameterProblem([{ parameter: 'asOf', detail: 'lies in the future' }]) }
  }
  if (!('thing' in past)) return { problem: await missingState(resource, past, asked.moment, call) }
  const { thing, present } = past
  if (isDeleted(thing)) return { problem: deleted(resource, thing) }
  const { addresses } = call.service
  const now = addresses.thing(resource, thing.id)
  const document = pastDocument(resource, thing, addresses)
  const page = call.representation === 'html' ? (await pastViews()).showPast(resource, thing, present, call) : undefined
  return {
    status: 200,
    // RFC 5829: the resource whose versions these are.
    headers: {
      link: `<${now}>; rel="latest-version"`,
      'content-location': addresses.past(resource, thing.id, thing.revision),
    },
    document: { ...document, ...(page && { page }) },
    validators: { revision: thing.revision, updatedAt: thing.updatedAt },
  }
}

function readMoment({ parameters }: Call): { readonly moment: Moment } | { readonly problem: Problem } {
  const wrong = (parameter: string, detail: string) => ({ problem: parameterProblem([{ parameter, detail }]) })
  const revision = parameters.get('revision')
  const asOf = parameters.get('asOf')
  if (revision !== undefined && asOf !== undefined) return wrong('asOf', 'cannot be given together with revision')
  if (revision !== undefined) {
    const isNumber = /^[1-9]\d*$/.test(revision) && Number.isSafeInteger(Number(revision))
    return isNumber ? { moment: { revision: Number(revision) } } : wrong('revision', 'must be an integer from 1')
  }
  const read = instant.readText(asOf ?? '')
  if ('fault' in read) return wrong('asOf', read.fault)
  return { moment: { asOf: read.value } }
}

/** What the thing itself shows is never in the future, whatever the clock of this instance says. */
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
  if (past.missing === 'unrecorded' && (await call.service.store.trimmed.of(past.present.id)) > 0) {
    return { code: 'events-trimmed', detail: `What the ${resource.name} was ${timeOf(moment)} is no longer kept.` }
  }
  return { code: 'revision-not-found', detail: reasons[past.missing](resource.name, past.present, moment) }
}

type Missing = Exclude<Extract<Past, { readonly missing: string }>['missing'], 'thing'>

const reasons: Readonly<Record<Missing, (name: string, present: Stored, moment: Moment) => string>> = {
  before: (name, _, moment) => `The ${name} did not exist ${timeOf(moment)}.`,
  later: (name, { revision }) => `The ${name} has reached revision ${revision}.`,
  unrecorded: (name, _, moment) =>
    `What the ${name} was ${timeOf(moment)} is not recorded: an import or an earlier release changed it without an event.`,
}

const timeOf = (moment: Moment): string =>
  'revision' in moment ? `in revision ${moment.revision}` : `at ${moment.asOf}`
