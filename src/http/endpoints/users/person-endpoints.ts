import { deal } from '../../../model/deal/deal.ts'
import type { Schema } from '../../../model/schema.ts'
import { matchMembers, personToJson } from '../../../model/user/user.ts'
import { collectionsOf } from '../../../queries/collections.ts'
import { parseQuery } from '../../../queries/parse/parse-query.ts'
import type { Filter } from '../../../queries/query.ts'
import { equals } from '../../../queries/term.ts'
import type { Document } from '../../../representations/document.ts'
import { reason } from '../../../values/faults/fault.ts'
import { checkGuard, type State } from '../../../values/guard.ts'
import { readMembers } from '../../../values/members.ts'
import type { Answer } from '../../contract/answer.ts'
import { type Call, type Endpoint, JSON_OR_FORM } from '../../contract/endpoint.ts'
import { invalidBody, refusalProblem, wrongMember } from '../../contract/problems/problem.ts'
import type { ShownPerson } from '../../contract/shown.ts'
import { overview, type WriteSuccess } from '../../contract/success.ts'
import { fromFields } from '../../forms/parts/parameters.ts'
import { answerWrite } from '../../respond/answer-write.ts'
import { readWritingWithoutKey } from '../../write/intent.ts'
import { apply } from '../../write/write.ts'
import { choosingFields } from '../things/thing-members.ts'
import { group, nameIn, noUser, own } from './addressed-user.ts'
import { userState } from './user-documents.ts'

const matched: WriteSuccess = {
  status: 200,
  shows: { one: 'people' },
  headers: ['Content-Location'],
  when: 'The user who looks after the open deals now. Finished deals keep the name that they had.',
}
const refuses = ['user-not-found'] as const

/** An owner of deals: a user, or a name that an earlier release accepted as text. */
export const personEndpoints = (schema: Schema): readonly Endpoint[] => [
  choosingFields(collectionsOf(schema).people, {
    ...own,
    method: 'GET',
    path: '/people/:name',
    summary: 'A person',
    describes: { group, answers: [overview({ one: 'people' }, 'The person.')], refuses },
    handle: read,
  }),
  {
    ...own,
    method: 'POST',
    reads: JSON_OR_FORM,
    parameters: ['dry-run'],
    role: 'admin',
    path: '/people/:name/matches',
    summary: 'Give the open deals of a name to a user',
    describes: {
      group,
      takes: 'Match',
      answers: [matched],
      refuses: [...refuses, 'stale-revision', 'precondition-failed', 'invalid-body'],
    },
    handle: match,
  },
]

interface Person extends ShownPerson {
  /** Of the user; a mere name has none. */
  readonly state?: State
}

async function read(call: Call): Promise<Answer> {
  const found = await findPerson(call)
  if ('problem' in found) return found
  return { status: 200, document: personDocument(found, call), shown: { screen: 'person', person: found } }
}

async function findPerson(call: Call): Promise<Person | Extract<Answer, { problem: unknown }>> {
  const named = nameIn(call)
  if ('problem' in named) return named
  const { name } = named
  const account = await call.service.store.accounts.find(name)
  if (account !== undefined) {
    return { name, fullName: account.user.fullName, isUser: true, state: userState(account.user) }
  }
  const owned = await dealsOwnedBy(name, 1, [], call)
  if (owned.length > 0) return { name, fullName: null, isUser: false }
  return { problem: noUser(name) }
}

/** Each open deal is assigned as if by hand, with its event; a repeat continues where it was interrupted. */
async function match(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const found = await findPerson(call)
  if ('problem' in found) return found
  const failed = checkGuard({ ...asked.guard, required: false }, found.state)
  if (failed !== undefined) return { problem: refusalProblem(failed) }
  const given = readMembers(
    matchMembers,
    call.fields === undefined ? (call.body ?? {}) : fromFields(call.fields, matchMembers),
  )
  if ('faults' in given) return { problem: invalidBody(given.faults) }
  const { store, addresses } = call.service
  const { user: owner } = given.values
  const account = await store.accounts.find(owner)
  if (account === undefined) {
    return { problem: wrongMember('/user', reason('not-found', { on: 'user', id: owner })) }
  }
  const { dryRun } = asked
  if (!dryRun && owner !== found.name) await assignAll(found.name, owner, call)
  const document = () => personDocument(account.user, call)
  const address = addresses.person(owner)
  return answerWrite(matched, { dryRun, document, address, next: address }, call)
}

const AT_ONCE = 100

async function assignAll(from: string, owner: string, call: Call): Promise<void> {
  const asking = { ...call, form: 'match', around: { guard: { required: false } } }
  const assign = (target: unknown) =>
    apply({ resource: deal.name, target, change: { action: 'assign', params: { owner } } }, asking)
  for (;;) {
    const open = [equals(collectionsOf(call.schema).deals, 'status', 'open')]
    const owned = await dealsOwnedBy(from, AT_ONCE, open, call)
    const outcomes = await Promise.all(owned.map((json) => assign((JSON.parse(json) as { id: string }).id)))
    // Deals that were finished or deleted meanwhile are not found again; nothing else refuses.
    if (outcomes.every((each) => 'problem' in each)) return
  }
}

async function dealsOwnedBy(name: string, size: number, further: Filter, call: Call): Promise<readonly string[]> {
  const { deals } = collectionsOf(call.schema)
  const parsed = parseQuery(deals, '')
  if ('faults' in parsed) throw new Error('deals cannot be listed')
  const scope = [equals(deals, 'owner', name), ...further]
  return (await call.desk.page(deals, scope, { ...parsed.query, size })).items
}

function personDocument({ name, fullName }: Pick<Person, 'name' | 'fullName'>, { service }: Call): Document {
  const { addresses } = service
  const query = encodeURIComponent(name)
  const links = {
    self: addresses.person(name),
    collection: addresses.people,
    deals: `${addresses.deals}?owner=${query}`,
    activity: `${addresses.events}?actor=${query}&sort=-sequence`,
  }
  const json = `${personToJson({ name, fullName }).slice(0, -1)},"links":${JSON.stringify(links)}}`
  return { title: () => fullName ?? name, kind: 'resource', item: 'person', json }
}
