import type { Document } from '../../../representations/document.ts'
import type { StoredUser } from '../../../store/port/accounts.ts'
import { explained } from '../../../views/page-forms/refused-form.ts'
import type { AboutUser } from '../../../views/user/read.ts'
import type { Answer } from '../../answer.ts'
import type { Call } from '../../endpoint.ts'
import { withView } from '../../respond/problems/problem.ts'
import { findUser } from './addressed-user.ts'
import { running } from './session-endpoints.ts'

/** A document about a user, with the page that people see of it. */
export async function withUserPage(
  document: Document,
  user: StoredUser,
  call: Call,
  shown: Omit<AboutUser, 'sessions'> = {},
): Promise<Document> {
  if (call.representation !== 'html') return document
  const { showUser } = await import('../../../views/user/read.ts')
  return { ...document, page: await showUser(user, { ...shown, sessions: running(user.name, Date.now()) }, call) }
}

type Handle = (call: Call) => Promise<Answer>

const FAULTY = 'Something in the form is not right'

/** A page's form that is refused is answered with the page that it stood on, which says why. */
export const onUserPage =
  (handle: Handle): Handle =>
  async (call) => {
    const answer = await handle(call)
    if (!('problem' in answer) || call.fields === undefined || call.representation !== 'html') return answer
    const problem = await withView(answer.problem, async (refusal) => {
      if (call.params.name === undefined)
        return (await import('../../../views/users/read.ts')).showRefusedInvitation(refusal, call)
      const found = await findUser(call)
      if ('problem' in found) return undefined
      const refused = refusal.code === 'invalid-body' ? { ...refusal, title: FAULTY } : explained(refusal, undefined)
      const { showUser } = await import('../../../views/user/read.ts')
      return showUser(found.user, { refused, sessions: running(found.user.name, Date.now()) }, call)
    })
    return { problem }
  }
