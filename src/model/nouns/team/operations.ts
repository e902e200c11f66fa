import { type Fault, near, reason } from '../../../values/faults/fault.ts'
import { nearest } from '../../../values/faults/nearest.ts'
import type { AuditNote } from '../../declaration/audit-note.ts'
import { createMembers, patchMembers } from '../../declaration/field.ts'
import { type DecidingFacts, defineAudited } from '../../declaration/operation.ts'
import { inUse, type UsedBy } from '../../declaration/refusal.ts'
import type { TeamSource } from '../../source/rights-source.ts'
import { type Person, personFor } from '../user/person.ts'
import { type Team, team } from './team.ts'

const on = team

/** The facts that the store knows in addition to a team: nothing changes them before the commit. */
export interface TeamFacts {
  /** Every user; none in a service without users. */
  readonly people: readonly Person[]
  /** The things that name the team. */
  readonly usedBy: readonly UsedBy[]
}

type Deciding = DecidingFacts<Team, TeamFacts>

const UNCHANGED: object = {}

const about = ({ name }: Team): AuditNote => ({ detail: name })

const create = defineAudited({
  on,
  name: 'create',
  to: 'nothing',
  title: 'Add a team',
  params: () => createMembers(team.fields),
  body: {
    name: 'NewTeam',
    examples: [{ name: 'north', title: 'North', lead: 'mila', members: ['mila', 'ben'] }],
  },
  apply(blank, fields, _now, facts: Deciding) {
    const taken = facts.on.schema.teams.some(({ name }) => name === fields.name)
    if (taken) return { refused: { code: 'name-taken', resource: 'team', name: fields.name } as const }
    return settled({ ...blank, ...fields }, fields, facts)
  },
  audit: { 'team-created': { title: 'Team added', of: about } },
})

/** The name stays: addresses have it. */
const { name: _name, ...patch } = patchMembers(team.fields)

const change = defineAudited({
  on,
  name: 'change',
  noun: 'edits',
  title: 'Change a team',
  params: () => patch,
  body: { name: 'TeamPatch', examples: [{ members: ['mila', 'ben', 'karla'] }] },
  demandsState: true,
  differences: true,
  apply: (before, fields, _now, facts: Deciding) => settled(before, fields, facts),
  audit: { 'team-changed': { title: 'Team changed', of: about } },
})

const remove = defineAudited({
  on,
  name: 'remove',
  noun: 'removals',
  removes: true,
  title: 'Remove a team',
  params: () => ({}),
  demandsState: true,
  apply({ id }, _params, _now, { known: { usedBy } }: Deciding) {
    const refused = inUse('team', id, usedBy)
    return refused === undefined ? UNCHANGED : { refused }
  },
  audit: { 'team-removed': { title: 'Team removed', of: about } },
})

export const teamOperations = [create, change, remove] as const

/** The fields with the names of users, or what is wrong with them. Members who stay have no fault. */
function settled<F extends Partial<Pick<Team, 'parent' | 'members'>>>(
  before: Pick<Team, 'name' | 'members'>,
  fields: F,
  { on: { schema }, known: { people }, caller }: Deciding,
): F | { readonly faults: readonly Fault[] } {
  const { parent = null, members = [] } = fields
  const self = caller?.user ?? undefined
  const persons = members.map((text) =>
    before.members.includes(text) ? { name: text } : personFor({}, text, people, { self, byWords: true }),
  )
  const faults = [
    ...(parent === null ? [] : parentFaults(before.name, parent, schema.teams)),
    ...persons.flatMap((person, at) =>
      'fault' in person ? [{ ...person.fault, at: { pointer: `/members/${at}` } }] : [],
    ),
  ]
  if (faults.length > 0) return { faults }
  const names = new Set(persons.flatMap((person) => ('name' in person ? [person.name] : [])))
  return fields.members === undefined ? fields : { ...fields, members: [...names] }
}

/** A parent is another team, and no part of this one. */
function parentFaults(name: string, parent: string, teams: readonly TeamSource[]): readonly Fault[] {
  const at = { pointer: '/parent' }
  if (!teams.some((each) => each.name === parent) && parent !== name) {
    const meant = nearest(
      parent,
      teams.map((each) => each.name),
    )
    return [{ ...reason('not-found', { on: 'team', id: parent, ...near(meant) }), at }]
  }
  const seen = new Set([name])
  for (let next: string | null | undefined = parent; next != null; ) {
    if (seen.has(next)) return [{ ...reason('circle', { name: parent }), at }]
    seen.add(next)
    const of: string = next
    next = teams.find((each) => each.name === of)?.parent
  }
  return []
}
