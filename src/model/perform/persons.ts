import type { Fault } from '../../values/faults/fault.ts'
import { isObject } from '../../values/json/is-object.ts'
import { memberPointer, withMembers } from '../../values/members.ts'
import { valueIn } from '../declaration/operation.ts'
import type { Thing } from '../declaration/resource.ts'
import type { DecisionFacts, Intent } from '../intent/intent.ts'
import { personFields, personMembers, personsIn, type SentPerson, textsOf } from '../intent/persons.ts'
import { personFor } from '../nouns/user/person.ts'
import type { CommandContent } from './content.ts'
import type { Aim } from './step.ts'

/**
 * Texts for persons become the names of users. One that names nobody is a fault of the parameters, unless the thing has
 * it already. decisions/0067
 */
export function persons(aim: Aim): Aim {
  const { content, creation, before, facts } = aim
  return creation === undefined
    ? { ...aim, content: withNames(content, before, facts) }
    : { ...aim, creation: withNames(creation, before, facts) }
}

function withNames(content: CommandContent, before: Thing, facts: DecisionFacts): CommandContent {
  const { intent, resource, operation, sent } = content
  const { change } = intent
  if (operation === undefined && 'action' in change) return content
  const further = 'action' in change ? change.afterwards : undefined
  const given = settled(personsIn(sent, personMembers(resource, operation)), intent, before, facts)
  const later = settled(personsIn(further?.attributes, personFields(resource)), intent, before, facts)
  if (given === NOBODY && later === NOBODY) return content
  const changed =
    'attributes' in change
      ? { ...change, attributes: put(change.attributes, given) }
      : { ...change, ...(further && { afterwards: { ...further, attributes: put(further.attributes, later) } }) }
  return {
    ...content,
    intent: { ...intent, change: changed },
    sent: put(sent, given),
    persons: [...given.faults, ...later.faults],
  }
}

interface SettledPersons {
  /** The names of users, by the members that have other texts. */
  readonly names: readonly (readonly [string, string])[]
  readonly faults: readonly Fault[]
}

const NOBODY: SettledPersons = { names: [], faults: [] }

const put = (raw: unknown, { names }: SettledPersons): unknown =>
  isObject(raw) && names.length > 0 ? withMembers(raw, names) : raw

function settled(
  sent: readonly SentPerson[],
  { caller, persons: reading }: Intent,
  before: Thing,
  { people }: Pick<DecisionFacts, 'people'>,
): SettledPersons {
  const asked = sent.filter(({ field, text }) => valueIn(before, field) !== text)
  if (asked.length === 0) return NOBODY
  const known = people(textsOf(asked, caller?.name))
  const found = asked.map(({ name, field, kind, text }) => ({
    name,
    person: personFor(kind, text, known, { ...reading, self: caller?.name }, valueIn(before, field)),
  }))
  return {
    names: found.flatMap(({ name, person }) => ('name' in person ? [[name, person.name] as const] : [])),
    faults: found.flatMap(({ name, person }) =>
      'fault' in person ? [{ ...person.fault, at: { pointer: memberPointer(name) } }] : [],
    ),
  }
}
