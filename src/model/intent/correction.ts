import { nullable } from '../../values/kinds/kind.ts'
import { text } from '../../values/kinds/text.ts'
import { required } from '../../values/members.ts'
import type { Resource, Schema } from '../declaration/schema.ts'
import { actorName } from '../nouns/user/user.ts'
import { personFields } from './persons.ts'

/** The text that fields for persons hold, and the user whom they get instead; null if nobody. */
export const correctionMembers = {
  from: required(text({ min: 1, max: 200 })),
  to: required(nullable(actorName)),
}

/** A correction that is under way, and who asked for it. */
export interface Correction {
  readonly id: string
  readonly from: string
  readonly to: string | null
  readonly actor: string | null
  readonly key: string | null
  readonly createdAt: string
}

/** A resource with the fields that a correction changes. */
export interface CorrectedFields {
  readonly resource: Resource
  readonly fields: readonly string[]
}

/** The fields that may get the value of a correction, and those that may not be empty. */
export function correctedFields(
  { resources }: Schema,
  { to }: Pick<Correction, 'to'>,
): { readonly changed: readonly CorrectedFields[]; readonly kept: readonly CorrectedFields[] } {
  const among = (isChanged: boolean): readonly CorrectedFields[] =>
    resources.flatMap((resource) => {
      const fields = personFields(resource).filter(({ kind }) => 'value' in kind.read(to) === isChanged)
      return fields.length === 0 ? [] : [{ resource, fields: fields.map(({ field }) => field) }]
    })
  return { changed: among(true), kept: among(false) }
}
