import type { Call } from '../http/contract/endpoint.ts'
import { boundedFaults } from '../http/contract/problems/bounded-problem.ts'
import type { Problem } from '../http/contract/problems/problem.ts'
import { problemType } from '../http/contract/problems/problem-types.ts'
import type { ShownProblem } from '../http/contract/shown.ts'
import { resourceNamed } from '../model/schema/resources.ts'
import { lazily } from '../values/lazily.ts'
import type { FormRefusal } from './forms/refused-form.ts'
import type { Screen } from './parts/screen.ts'

type ShowProblem<S extends ShownProblem['screen']> = (
  shown: Extract<ShownProblem, { readonly screen: S }>,
  refusal: FormRefusal,
  call: Call,
) => Promise<Screen | undefined>

const audited = lazily(() => import('./audited/read.ts'))
const creations = lazily(() => import('./creation/read.ts'))
const imports = lazily(() => import('./import/read.ts'))
const picked = lazily(() => import('./forms/read-picked.ts'))
const searches = lazily(() => import('./search/read.ts'))
const things = lazily(() => import('./things.ts'))
const users = lazily(() => import('./users/read.ts'))
const userScreens = lazily(() => import('./user/read.ts'))
const webhooks = lazily(() => import('./webhooks/read.ts'))

const screens: { readonly [S in ShownProblem['screen']]: ShowProblem<S> } = {
  deleted: async ({ resource, thing }, _refusal, call) => (await things()).showDeletedOne(resource, thing, call),
  async write({ intent, operation: routed }, refusal, call) {
    const { fields } = call
    const resource = resourceNamed(call.schema, intent.resource)
    const operation = routed ?? resource.operations.find(({ differences }) => differences)
    if (fields === undefined || operation === undefined) return undefined
    const { readPicked } = await picked()
    const shown = { ...refusal, picked: await readPicked(fields, operation.params, call.desk) }
    // A fault within a saved query belongs to no field.
    if (operation.to === 'nothing' && refusal.code !== 'invalid-parameter') {
      return (await creations()).showRefusedCreation(resource, shown, fields, call)
    }
    return (await things()).showRefusedOne(shown, operation, fields, call)
  },
  'audited form': async ({ operation }, refusal, call) =>
    (await audited()).showRefusedAudited(operation, refusal, call),
  async 'user form'(_shown, refusal, call) {
    const { fields } = call
    if (fields === undefined) return undefined
    return call.params.name === undefined
      ? (await users()).showRefusedInvitation(refusal, fields, call)
      : (await userScreens()).showRefusedUser(refusal, fields, call)
  },
  'webhook form': async (_shown, refusal, call) =>
    refusal.code === 'invalid-body' ? (await webhooks()).showRefusedWebhook(refusal, call) : undefined,
  'import form': async (_shown, refusal, call) => (await imports()).showRefusedImport(refusal, call),
  'search form': async (_shown, _refusal, call) => (await searches()).showNothing(call),
}

/** A problem with its own screen instead of the usual page; unchanged if there is none. */
export async function withProblemScreen(problem: Problem, shown: ShownProblem, call: Call): Promise<Problem> {
  const { errors, plainly } = problem
  const { title } = problemType(problem.code)
  const show = screens[shown.screen] as ShowProblem<ShownProblem['screen']>
  const screen = await show(
    shown as never,
    { ...problem, title, ...(plainly && { detail: plainly }), ...(errors && { errors: boundedFaults(errors) }) },
    call,
  )
  return screen === undefined ? problem : { ...problem, screen }
}
