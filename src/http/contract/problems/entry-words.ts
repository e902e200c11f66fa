import type { Told } from '../../../languages/tell.ts'
import type { AddedField } from '../../../model/build/added-field.ts'
import type { StageRequires } from '../../../model/perform/entry-refusal.ts'
import type { InUse } from '../../../model/refusal.ts'
import { resourceNamed } from '../../../model/resources.ts'
import type { Resource, Schema } from '../../../model/schema.ts'
import { label } from '../../../representations/html/label.ts'
import type { Fact, Facts } from '../../../values/faults/fault.ts'
import { capitalized } from '../../../values/kinds/text.ts'

/** The stage and the fields that it requires, in words for people. */
export function entryWords({ resource, pipeline, stage, fields }: StageRequires, schema: Schema): Facts {
  const on = resourceNamed(schema, resource)
  const { pipelines } = schema
  const found = pipelines.find(({ name }) => name === pipeline)?.stages.find(({ name }) => name === stage)
  return {
    stage: titleWords(found ?? { name: stage, title: stage }),
    fields: fields.map((field) => fieldWords(on, field)),
  }
}

/** A title that was not changed is translated. */
const titleWords = ({ name, title }: { readonly name: string; readonly title: string }): Fact =>
  title === label(name) ? { text: title } : title

/** Why a stage, a pipeline or a choice cannot go yet, for people: in what the things are that have to leave it. */
export function occupiedWords(
  { id, part, needed, count = 0 }: InUse,
  { pipelines, resources }: Schema,
): Told | undefined {
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
  const fields = resources.flatMap(({ added }) => added.map(({ field }) => field.added as AddedField))
  const choice = fields.find((each) => each.id === id)?.options?.values?.find(({ value }) => value === part)
  if (choice === undefined) return undefined
  return {
    text: 'There are {count} entries with {choice}: choose what they get instead.',
    with: { count, choice: { title: choice.title, titles: choice.titles ?? {} } },
  }
}

/** The users of a part of the model that is to go, for people. */
export const usersWords = ({ resource, usedBy = [] }: InUse): Told => ({
  text: 'The {resource} is still used by {names}. Change that first.',
  with: { resource, names: usedBy.map(({ on, name }) => ({ text: '{on} “{name}”', with: { on, name } })) },
})

function fieldWords(on: Resource, field: string): Fact {
  const through = on.references.find(({ name }) => field.startsWith(`${name}.`))
  if (through !== undefined) {
    const of = resourceNamed(on.schema, through.to)
    const what = fieldWords(of, field.slice(through.name.length + 1))
    return { text: '{about}: {what}', with: { about: { text: capitalized(through.name) }, what } }
  }
  const kind = on.kinds[field]
  if (kind?.titled !== undefined) return { title: kind.titled.title, titles: kind.titled.titles ?? {} }
  return { text: label(kind?.refersTo === undefined ? field : field.replace(/Id$/, '')) }
}
