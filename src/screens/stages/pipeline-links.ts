import { say } from '../../languages/say.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import type { Markup } from '../../representations/markup/markup.ts'
import { choices } from '../parts/page-head.ts'
import { pipelineChoices } from './stages.ts'

type Narrowed = readonly { readonly raw: string }[]

/** The switch between pipelines and all of them; nothing if there is only one. */
export function pipelineLinks(
  schema: Schema,
  asked: string | undefined,
  address: (filter: Narrowed) => string,
): Markup | undefined {
  const known = pipelineChoices(schema)
  if (known.length === 0) return undefined
  const all = { href: address([]), text: say('All|pipelines'), isCurrent: asked === undefined }
  const each = known.map(({ value, text }) => ({
    href: address([{ raw: `pipeline=${value}` }]),
    text,
    isCurrent: value === asked,
  }))
  return choices(say('Pipeline'), 'switch', [all, ...each])
}
