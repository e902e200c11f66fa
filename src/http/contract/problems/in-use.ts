import type { Told } from '../../../languages/tell.ts'
import type { InUse } from '../../../model/declaration/refusal.ts'
import type { Schema } from '../../../model/declaration/schema.ts'
import { holdersOf, resourceNamed } from '../../../model/schema/resources.ts'
import { quoted } from './bounded-problem.ts'
import { titleWords } from './entry-words.ts'
import { inUseCode } from './problem-types.ts'

/** The problem of something that is to go while others need it: stored conditions, things that name it, or are in it. */
export function inUseProblem(refusal: InUse, schema: Schema) {
  const { resource, usedBy, heldBy, count, part, needed } = refusal
  const users = usedBy ?? heldBy
  const plainly = users === undefined ? occupiedWords(refusal, schema) : usersWords(resource, users)
  return {
    code: inUseCode({ name: resource }),
    detail: wordsOf(refusal, schema),
    ...(plainly && { plainly }),
    extra: {
      ...(count !== undefined && { count }),
      ...(part !== undefined && { part }),
      ...(needed && { needed }),
      ...(users && { usedBy: users.map((each) => ({ ...each })) }),
    },
  }
}

function wordsOf({ resource, id, usedBy, count, part, needed }: InUse, schema: Schema): Told {
  const on = resourceNamed(schema, resource)
  const names = usedBy?.map((each) => `${each.on} ${quoted(each.name)}`)
  if (count === undefined) {
    if (names !== undefined) return { text: 'The {resource} is used by {names}.', with: { resource, names } }
    const holders = [...new Set(holdersOf(on).map(({ from }) => from.name))]
    return { text: 'At least one {on} refers to the {resource} {id}.', with: { resource, id, on: holders } }
  }
  const { begunBy: [member = ''] = [] } = on.parts ?? {}
  if (part !== undefined)
    return names === undefined
      ? {
          text: 'There are {count} things in {part}: say with {member} where they move.',
          with: { count, part, member },
        }
      : { text: 'There are {count} things in {part}, and it is used by {names}.', with: { count, part, names } }
  return count > 0 && !needed
    ? {
        text: 'There are {count} things in the {resource}: say with {member} where they move.',
        with: { count, resource, member },
      }
    : { text: 'The {resource} is needed: it is the default, or others move there.', with: { resource } }
}

/** The users of what is to go, for people. */
const usersWords = (resource: string, users: NonNullable<InUse['usedBy']>): Told => ({
  text: 'The {resource} is still used by {names}. Change that first.',
  with: {
    resource,
    names: [
      ...users.slice(0, MOST_SHOWN).map(({ on, name }) => ({ text: '{on} “{name}”', with: { on, name } })),
      ...(users.length > MOST_SHOWN ? ['…'] : []),
    ],
  },
})

const MOST_SHOWN = 10

/** Why a stage, a pipeline or a choice cannot go yet, for people: in what the things are that have to leave it. */
function occupiedWords({ id, part, needed, count = 0 }: InUse, { pipelines, fields }: Schema): Told | undefined {
  if (count === 0 || needed) return undefined
  const pipeline = pipelines.find((each) => each.id === id)
  if (pipeline !== undefined && part === undefined)
    return {
      text: 'There are {count} deals in the pipeline {pipeline}: choose where they move.',
      with: { count, pipeline: titleWords(pipeline) },
    }
  const stage = pipeline?.stages.find(({ name }) => name === part)
  if (stage !== undefined)
    return {
      text: 'There are {count} deals in the stage {stage}: choose where they move.',
      with: { count, stage: titleWords(stage) },
    }
  const choice = fields.find((each) => each.id === id)?.options?.values?.find(({ value }) => value === part)
  if (choice === undefined) return undefined
  return {
    text: 'There are {count} entries with {choice}: choose what they get instead.',
    with: { count, choice: { title: choice.title, titles: choice.titles ?? {} } },
  }
}
