import type { Document } from '../../../representations/document.ts'
import type { StoredUser } from '../../../store/port/accounts.ts'
import { lazily } from '../../../values/lazily.ts'
import type { AboutUser } from '../../../views/user/read.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call } from '../../contract/endpoint.ts'
import { originOf } from '../../respond/origin.ts'
import { withView } from '../../respond/problems/problem-for-people.ts'
import { findUser } from './addressed-user.ts'
import { running } from './session-endpoints.ts'

const userViews = lazily(() => import('../../../views/user/read.ts'))
const usersViews = lazily(() => import('../../../views/users/read.ts'))

/** A document about a user, with the page that people see of it. */
export async function withUserPage(
  document: Document,
  user: StoredUser,
  call: Call,
  shown: Omit<AboutUser, 'sessions' | 'hasProvider'> = {},
): Promise<Document> {
  if (call.representation !== 'html') return document
  const { showUser } = await userViews()
  const { invitation, calendar } = shown
  const about = {
    ...shown,
    ...(invitation !== undefined && { invitation: whole(invitation, call) }),
    ...(calendar !== undefined && { calendar: whole(calendar, call) }),
    ...besides(user, call),
  }
  return { ...document, page: await showUser(user, about, call) }
}

const besides = ({ name }: StoredUser, { service }: Call): Pick<AboutUser, 'sessions' | 'hasProvider'> => ({
  sessions: running(name, Date.now()),
  hasProvider: service.provider !== undefined,
})

/** An address that works wherever it is copied to. */
const whole = (address: string, call: Call): string => new URL(address, originOf(call)).href

type Handle = (call: Call) => Promise<Answer>

/** A page's form that is refused is answered with the page that it stood on, which says why. */
export const onUserPage =
  (handle: Handle): Handle =>
  async (call) => {
    const answer = await handle(call)
    const { fields } = call
    if (!('problem' in answer) || fields === undefined || call.representation !== 'html') return answer
    const problem = await withView(answer.problem, async (refusal) => {
      if (call.params.name === undefined) return (await usersViews()).showRefusedInvitation(refusal, fields, call)
      const found = await findUser(call)
      if ('problem' in found) return undefined
      const { showUser } = await userViews()
      const address = call.service.addresses.base + call.path
      const sent = { part: call.path.split('/').at(-1) ?? '', address, fields, refusal }
      return showUser(found.user, { sent, ...besides(found.user, call) }, call)
    })
    return { problem }
  }
