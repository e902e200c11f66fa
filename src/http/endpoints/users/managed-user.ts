import { withView } from '../../../screens/page-forms/with-view.ts'
import { lazily } from '../../../values/lazily.ts'
import type { Call } from '../../contract/endpoint.ts'
import type { Problem } from '../../contract/problems/problem.ts'
import { findUser, group, ownName } from './addressed-user.ts'
import { besides } from './user-page.ts'

const userViews = lazily(() => import('../../../screens/user/read.ts'))
const usersViews = lazily(() => import('../../../screens/users/read.ts'))

/** Shared by what people do with themselves, and admins with all. */
export const theirs = {
  role: 'reader',
  group,
  target: (call: Call) => {
    const named = ownName(call)
    return 'problem' in named ? named : { ...call.params, ...named }
  },
  afterwards: ({ service }: Call) => service.access.refresh(),
  showRefused,
} as const

/** A page's form that is refused is answered with the page that it stood on, which says why. */
async function showRefused(problem: Problem, call: Call): Promise<Problem> {
  const { fields = new Map<string, string>() } = call
  return withView(problem, async (refusal) => {
    if (call.params.name === undefined) return (await usersViews()).showRefusedInvitation(refusal, fields, call)
    const found = await findUser(call)
    if ('problem' in found) return undefined
    const { showUser } = await userViews()
    const address = call.service.addresses.base + call.path
    const sent = { part: call.path.split('/').at(-1) ?? '', address, fields, refusal }
    return showUser(found.user, { sent, ...besides(found.user, call) }, call)
  })
}
