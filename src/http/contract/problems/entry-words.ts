import type { StageRequires } from '../../../model/declaration/refusal.ts'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import { relatedField, resourceNamed } from '../../../model/schema/resources.ts'
import { label } from '../../../representations/html/label.ts'
import type { Fact, Facts } from '../../../values/faults/fault.ts'
import type { Titled } from '../../../values/kinds/kind.ts'
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
export const titleWords = ({ name, title, titles = {} }: Titled & { readonly name: string }): Fact => ({
  title: title === label(name) ? { text: title } : title,
  titles,
})

/** A field in words for people. */
export function fieldWords(on: Resource, field: string): Fact {
  const related = relatedField(on, field)
  if (related !== undefined) {
    const { name, of, relation } = related
    return { text: '{about}: {what}', with: { about: { text: capitalized(relation) }, what: fieldWords(of, name) } }
  }
  const kind = on.kinds[field]
  if (kind?.titled !== undefined) return { title: kind.titled.title, titles: kind.titled.titles ?? {} }
  return { text: label(kind?.refersTo === undefined ? field : field.replace(/Id$/, '')) }
}
