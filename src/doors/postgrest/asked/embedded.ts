import { collectionOf } from '../../../queries/collections.ts'
import type { Condition, SortTerm } from '../../../queries/query.ts'
import type { Parameter } from '../../../queries/query-string.ts'
import { type Fault, type Reason, reason } from '../../../values/faults/fault.ts'
import type { Read } from '../../../values/kinds/kind.ts'
import { wholeNumber } from '../../kit/settings.ts'
import { readCondition, readOrder } from './condition.ts'
import type { ChosenMember, Embedding } from './select.ts'

/** A parameter without the names of the embeddings that lead to what it is about. */
interface Below {
  readonly parameter: Parameter
  readonly name: string
}

/**
 * Gives embeddings their parameters: `deals.price=gt.5`, `deals.order=price.desc`, `deals.limit=3`,
 * `deals.or=(held.is.true,price.gt.5)`, `deals.tasks.limit=1`. The others are those of the rows.
 */
export function withTheirs(
  members: readonly ChosenMember[],
  parameters: readonly Parameter[],
  others: Parameter[],
  faults: Fault[],
): readonly ChosenMember[] {
  const left: Below[] = []
  const shown = distributed(
    members,
    parameters.map((parameter) => ({ parameter, name: parameter.name })),
    left,
    faults,
  )
  others.push(...left.map(({ parameter }) => parameter))
  return shown
}

function distributed(
  members: readonly ChosenMember[],
  parameters: readonly Below[],
  left: Below[],
  faults: Fault[],
): readonly ChosenMember[] {
  const theirs = new Map<ChosenMember, Below[]>()
  for (const each of parameters) {
    const [head = '', ...tail] = each.name.split('.')
    const member = tail.length === 0 ? undefined : members.find((one) => isCalled(one, head))
    if (member === undefined) left.push(each)
    else theirs.set(member, [...(theirs.get(member) ?? []), { ...each, name: tail.join('.') }])
  }
  return members.map((member) =>
    member.kind === 'embedding' ? embeddedBy(member, theirs.get(member) ?? [], faults) : member,
  )
}

const isCalled = (member: ChosenMember, name: string): boolean =>
  member.kind === 'embedding' &&
  (member.as === name || member.relation.name === name || member.relation.of.plural === name)

function embeddedBy(embedding: Embedding, parameters: readonly Below[], faults: Fault[]): Embedding {
  const { relation } = embedding
  const collection = collectionOf(relation.of)
  const own: Below[] = []
  const members = distributed(embedding.members, parameters, own, faults)
  const wrong = ({ parameter: { name } }: Below, why: Reason): unknown =>
    faults.push({ ...why, at: { parameter: name } })
  const settings = new Map<string, Below>()
  const conditions: Condition[] = []
  for (const each of own) {
    const isSetting = places.has(each.name)
    if (isSetting && relation.kind === 'one') wrong(each, reason('meaningless'))
    else if (isSetting && settings.has(each.name)) wrong(each, reason('repeated'))
    else if (isSetting) settings.set(each.name, each)
    else {
      const read = readCondition(collection, each.name, each.parameter)
      if ('fault' in read) wrong(each, read.fault)
      else conditions.push(read)
    }
  }
  const asked = <T>(name: string, read: (text: string) => Read<T>): T | undefined => {
    const below = settings.get(name)
    const found = below && read(below.parameter.value ?? '')
    if (below !== undefined && found !== undefined && 'fault' in found) wrong(below, found.fault)
    return found !== undefined && 'value' in found ? found.value : undefined
  }
  const sort: readonly SortTerm[] | undefined = asked('order', (text) => readOrder(collection, text))
  const limit = asked('limit', wholeNumber)
  const offset = asked('offset', wholeNumber)
  return {
    ...{ ...embedding, members, conditions },
    ...(sort && { sort }),
    ...(limit !== undefined && { limit }),
    ...(offset !== undefined && { offset }),
  }
}

const places: ReadonlySet<string> = new Set(['order', 'limit', 'offset'])
