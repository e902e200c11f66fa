import { plainUser } from '../../../access/manage.ts'
import { hashPassword } from '../../../access/password.ts'
import type { UserPatch } from '../../../model/user/change.ts'
import { proofMembers } from '../../../model/user/password.ts'
import { ADMINS_OWN, newUserMembers, type User, userPatch } from '../../../model/user/user.ts'
import { fieldOf } from '../../../queries/collection.ts'
import { collections } from '../../../queries/collections.ts'
import { equals } from '../../../queries/term.ts'
import type { Fault } from '../../../values/faults/fault.ts'
import { checkGuard } from '../../../values/guard.ts'
import { lazily } from '../../../values/lazily.ts'
import { type Members, readMembers } from '../../../values/members.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { forbidden, invalidBody, refusalProblem } from '../../contract/problems/problem.ts'
import { changed, created, removed, thing, withSecret } from '../../contract/success.ts'
import { fromFields } from '../../forms/parts/parameters.ts'
import { drawFrom } from '../../request/form-seed.ts'
import { readWritingWithoutKey, superfluousBody } from '../../request/write-options.ts'
import { answerWrite } from '../../respond/answer-write.ts'
import { collectionEndpoint } from '../collections/collection-endpoint.ts'
import { choosingFields } from '../things/thing-members.ts'
import { authorOf, findUser, group, isAdmin, nameIn, own, writingOwn } from './addressed-user.ts'
import { invitationOf } from './invite-user.ts'
import { deniesProgram, proveOneself, unproved } from './prove-oneself.ts'
import { userDocument, userDraft, userState } from './user-documents.ts'
import { onUserPage, withUserPage } from './user-page.ts'

const usersViews = lazily(() => import('../../../views/users/read.ts'))
const peopleViews = lazily(() => import('../../../views/people/read.ts'))
const auditViews = lazily(() => import('../../../views/audit/view.ts'))

const { users, people, audit } = collections
const made = withSecret(created('users'))
const change = changed('users')
const removal = removed('users')
const refusesChanges = ['user-not-found', 'last-admin', 'stale-revision', 'revision-required', 'invalid-body'] as const
const changing = { group, takes: 'UserPatch', answers: [change], refuses: [...refusesChanges, ...unproved] } as const
const removing = { group, answers: [removal], refuses: refusesChanges } as const

/** Users, people and the audit. */
export const userEndpoints: readonly Endpoint[] = [
  collectionEndpoint({
    collection: users,
    path: '/users',
    summary: 'Users',
    page: async (list, visit) => (await usersViews()).showUsers(list, visit),
    itemAddress: ({ name }, { service }) => (typeof name === 'string' ? service.addresses.user(name) : undefined),
    async scope(call) {
      if (isAdmin(call)) return { scope: [] }
      return { scope: [equals(users, 'name', call.caller?.user ?? '')] }
    },
  }),
  {
    ...writingOwn,
    role: 'admin',
    path: '/users',
    summary: 'Add a user',
    describes: { group, takes: 'NewUser', answers: [made], refuses: ['invalid-body', 'name-taken'] },
    handle: onUserPage(add),
  },
  choosingFields(users, {
    ...own,
    method: 'GET',
    path: '/users/:name',
    summary: 'A user',
    describes: { group, answers: [thing('users')], refuses: ['user-not-found'] },
    handle: read,
  }),
  {
    ...own,
    method: 'PATCH',
    reads: ['application/merge-patch+json', 'application/json'],
    parameters: ['dry-run'],
    path: '/users/:name',
    summary: 'Change a user',
    describes: changing,
    handle: onUserPage(changeUser),
  },
  {
    ...writingOwn,
    path: '/users/:name/edits',
    summary: 'Change a user, from a page',
    describes: changing,
    handle: onUserPage(changeUser),
  },
  {
    ...own,
    role: 'admin',
    method: 'DELETE',
    parameters: ['dry-run'],
    path: '/users/:name',
    summary: 'Remove a user',
    describes: removing,
    handle: onUserPage(remove),
  },
  {
    ...writingOwn,
    role: 'admin',
    path: '/users/:name/removals',
    summary: 'Remove a user, from a page',
    describes: removing,
    handle: onUserPage(remove),
  },
  collectionEndpoint({
    collection: people,
    about: { group: 'Users' },
    path: '/people',
    summary: 'People',
    page: async (list, visit) => (await peopleViews()).showPeople(list, visit),
    itemAddress: ({ name }, { service }) => (typeof name === 'string' ? service.addresses.person(name) : undefined),
    scope: async () => ({ scope: [equals(people, 'disabled', false)] }),
  }),
  collectionEndpoint({
    collection: audit,
    about: { group: 'Users' },
    path: '/audit',
    summary: 'Audit',
    page: async (list, visit) => (await auditViews()).showAudit(list, visit),
    role: 'admin',
    sort: [{ field: fieldOf(audit, 'id'), descending: true }],
  }),
]

async function read(call: Call): Promise<Answer> {
  const found = await findUser(call)
  if ('problem' in found) return found
  const { user } = found
  const document = await withUserPage(userDocument(user, call.service.addresses), user, call)
  return { status: 200, document, validators: userState(user) }
}

/** Without a password, the answer shows a link by which the user sets one. */
async function add(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const failed = checkGuard(asked.guard, undefined)
  if (failed !== undefined) return { problem: refusalProblem(failed) }
  const raw = call.fields === undefined ? (call.body ?? {}) : fromFields(call.fields, newUserMembers)
  const given = readMembers(newUserMembers, raw)
  if ('faults' in given) return { problem: invalidBody(given.faults) }
  const { password, ...fields } = given.values
  const faults = call.role === null ? firstUserFaults(fields) : []
  if (faults.length > 0) return { problem: invalidBody(faults) }
  const { accounts } = call.service.store
  const { addresses } = call.service
  const user = { ...plainUser({ ...fields, now: new Date().toISOString() }), ...fields }
  const { dryRun } = asked
  if (dryRun) {
    if (await accounts.isTaken(user.name)) return { problem: taken(user.name) }
    return answerWrite(made, { dryRun, foreseen: () => userDraft(user, addresses) }, call)
  }
  if (password !== undefined) {
    const hash = await hashPassword(password)
    if (!(await accounts.add({ user, hash }, authorOf(call)))) return { problem: taken(user.name) }
    return answerAdded(user, {}, call)
  }
  const content = Object.values(fields).map(String)
  const token = drawFrom(call.fields?.get('_seed'), content, Date.now()).bytes('invitation').toString('base64url')
  const invitation = invitationOf(user.name, token)
  const once = { invitation: addresses.invitation(token) }
  if (await accounts.add({ user, hash: null, invitation }, authorOf(call))) return answerAdded(user, once, call)
  // The form was sent before, as by a double click: it shows what it made.
  const invited = await accounts.invited(invitation.hash, invitation.createdAt)
  return invited?.name === user.name ? answerAdded(invited, once, call) : { problem: taken(user.name) }
}

async function answerAdded(user: User, once: { readonly invitation?: string }, call: Call): Promise<Answer> {
  const { access, addresses } = call.service
  access.refresh()
  const shown = await withUserPage(userDocument(user, addresses, once), user, call, once)
  const document = () => shown
  const address = addresses.user(user.name)
  return answerWrite(made, { dryRun: false, document, address, validators: userState(user) }, call)
}

/** The first user closes an open service, and nobody but an admin could add another then. */
function firstUserFaults({ role, disabled }: Pick<User, 'role' | 'disabled'>): readonly Fault[] {
  const faults: Fault[] = []
  if (role !== 'admin') faults.push({ code: 'first-user', with: { wants: 'admin' }, at: { pointer: '/role' } })
  if (disabled) faults.push({ code: 'first-user', with: { wants: 'enabled' }, at: { pointer: '/disabled' } })
  return faults
}

export const taken = (name: string) =>
  ({ code: 'name-taken', detail: { text: 'There is already a user or key called {name}.', with: { name } } }) as const

async function changeUser(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const found = await findUser(call)
  if ('problem' in found) return found
  const members = found.isSelf ? { ...userPatch, ...proofMembers } : userPatch
  const given = readMembers(members, call.fields === undefined ? (call.body ?? {}) : fromPage(call.fields, members))
  const { password, ...to } = ('faults' in given ? {} : given.values) as UserPatch & { readonly password?: string }
  const changesAccess = to.email !== undefined && to.email !== found.user.email
  const denied = changesAccess ? deniesProgram(found, call) : undefined
  if (denied !== undefined) return { problem: denied }
  if (!isAdmin(call) && ADMINS_OWN.some((name) => to[name] !== undefined && to[name] !== found.user[name])) {
    return { problem: forbidden('admin', call) }
  }
  const failed = checkGuard(asked.guard, userState(found.user))
  if (failed !== undefined) return { problem: refusalProblem(failed) }
  if ('faults' in given) return { problem: invalidBody(given.faults) }
  const isProof = changesAccess || password !== undefined
  const unproven = isProof ? await proveOneself(found, password, call) : undefined
  if (unproven !== undefined) return { problem: unproven }
  const { guard, dryRun } = asked
  const { name } = found.user
  const outcome = await call.service.store.accounts.change({ kind: 'change', name, to, guard, dryRun }, authorOf(call))
  if (outcome.kind === 'refused') return { problem: refusalProblem(outcome.refusal) }
  call.service.access.refresh()
  call.service.roster.forget()
  const { addresses } = call.service
  const { user } = outcome
  const address = addresses.user(name)
  const document = () => userDocument(user, addresses)
  return answerWrite(change, { dryRun, document, address, validators: userState(user), next: address }, call)
}

/** A page's form shows every field, so an empty one is nothing. */
function fromPage(fields: ReadonlyMap<string, string>, members: Members): unknown {
  const empty = Object.entries(userPatch).filter(([name, { kind }]) => kind.nullable && !fields.has(name))
  return { ...Object.fromEntries(empty.map(([name]) => [name, null])), ...(fromFields(fields, members) as object) }
}

async function remove(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const named = nameIn(call)
  if ('problem' in named) return named
  const { guard } = asked
  const superfluous = superfluousBody(call)
  const dryRun = asked.dryRun || superfluous !== undefined
  const removing = { kind: 'remove', name: named.name, guard, dryRun } as const
  const outcome = await call.service.store.accounts.change(removing, authorOf(call))
  if (outcome.kind === 'refused') return { problem: refusalProblem(outcome.refusal) }
  if (superfluous !== undefined) return superfluous
  call.service.access.refresh()
  const { addresses } = call.service
  const foreseen = () => userDocument(outcome.user, addresses)
  return answerWrite(removal, { dryRun, foreseen, next: addresses.users }, call)
}
