import { randomUUID } from 'node:crypto'
import type { Schema } from '../../../model/declaration/schema.ts'
import { correctionMembers } from '../../../model/intent/correction.ts'
import { personFor } from '../../../model/nouns/user/person.ts'
import { personToJson } from '../../../model/nouns/user/user.ts'
import { collectionsOf } from '../../../queries/collections.ts'
import { defaultSort } from '../../../queries/sort.ts'
import { equals } from '../../../queries/term.ts'
import type { Document } from '../../../representations/document.ts'
import { beginCorrection, countCorrected } from '../../../store/correct-persons.ts'
import { readMembers } from '../../../values/members.ts'
import type { Answer } from '../../contract/answer.ts'
import { type Call, type Endpoint, JSON_OR_FORM } from '../../contract/endpoint.ts'
import { invalidBody, wrongMember } from '../../contract/problems/problem.ts'
import type { ShownPerson } from '../../contract/shown.ts'
import { overview, type WriteSuccess } from '../../contract/success.ts'
import { fromFields } from '../../forms/parts/parameters.ts'
import { answerWrite } from '../../respond/answer-write.ts'
import { readWritingWithoutKey } from '../../write/intent.ts'
import { choosingFields } from '../things/thing-members.ts'
import { group, nameIn, noUser, own } from './addressed-user.ts'

const accepted: WriteSuccess = {
  status: 202,
  shows: 'Correction',
  foresees: 'Correction',
  headers: [],
  when: 'The text is changed everywhere, beside requests: it is done when a filter finds none. `things` have it now; in `kept` of them a field may not be empty, and keeps it.',
}
const refuses = ['user-not-found'] as const
const isCorrections = /\/people\/corrections\/?$/

/** An owner of deals: a user, or a name that an earlier release accepted as text. */
export const personEndpoints = (schema: Schema): readonly Endpoint[] => [
  choosingFields(collectionsOf(schema).people, {
    ...own,
    method: 'GET',
    path: '/people/:name',
    where: (path) => !isCorrections.test(path),
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
    path: '/people/corrections',
    summary: 'Change a text in all fields for persons',
    describes: { group, takes: 'NewCorrection', answers: [accepted], refuses: ['invalid-body'] },
    handle: correct,
  },
]

async function read(call: Call): Promise<Answer> {
  const found = await findPerson(call)
  if ('problem' in found) return found
  return { status: 200, document: personDocument(found, call), shown: { screen: 'person', person: found } }
}

async function findPerson(call: Call): Promise<ShownPerson | Extract<Answer, { problem: unknown }>> {
  const named = nameIn(call)
  if ('problem' in named) return named
  const { name } = named
  const account = await call.service.store.accounts.find(name)
  if (account !== undefined) {
    return { name, fullName: account.user.fullName, isUser: true }
  }
  if (await ownsDeals(name, call)) return { name, fullName: null, isUser: false }
  return { problem: noUser(name) }
}

const USERS_ONLY = { mustExist: true } as const

/** A correction of few things is done before the answer; a longer one continues after it. */
async function correct(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const { body, fields, service, actor } = call
  const sent = fields === undefined ? (body ?? {}) : fromFields(fields, correctionMembers)
  const given = readMembers(correctionMembers, sent)
  if ('faults' in given) return { problem: invalidBody(given.faults) }
  const { store, addresses } = service
  const { from } = given.values
  const self = call.caller?.user ?? undefined
  const user =
    given.values.to === null ? null : personFor(USERS_ONLY, given.values.to, await store.accounts.users(), { self })
  if (user !== null && 'fault' in user) return { problem: wrongMember('/to', user.fault) }
  const to = user === null ? null : user.name
  const counts = await countCorrected(store, { from, to })
  if (!asked.dryRun && from !== to && counts.things > 0) {
    const key = call.caller?.key ?? null
    await beginCorrection(store, { id: randomUUID(), from, to, actor, key, createdAt: new Date().toISOString() })
  }
  const json = JSON.stringify({ from, to, ...counts })
  const document = (): Document => ({ title: 'Correction', kind: 'resource', item: 'correction', json })
  return answerWrite(accepted, { dryRun: asked.dryRun, document, next: addresses.people }, call)
}

async function ownsDeals(name: string, call: Call): Promise<boolean> {
  const { deals } = collectionsOf(call.schema)
  const query = { filter: [], sort: defaultSort(deals), size: 1, count: false, refuseEmpty: false }
  return (await call.desk.page(deals, [equals(deals, 'owner', name)], query)).items.length > 0
}

function personDocument({ name, fullName }: Pick<ShownPerson, 'name' | 'fullName'>, { service }: Call): Document {
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
