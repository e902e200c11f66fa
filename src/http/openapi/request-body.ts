import type { JsonSchema } from '../../values/kind.ts'
import type { Endpoint } from '../endpoint.ts'
import { paramsName } from './body-schemas.ts'
import type { BodyName } from './description.ts'
import { reference } from './schema.ts'

/** What an endpoint reads, by media type; nothing where it reads no body. */
export function requestBodyOf({ reads = [], describes }: Endpoint): JsonSchema | undefined {
  if (reads.length === 0) return undefined
  const { schema, required } = bodyOf(describes?.takes)
  const form = reference('HtmlForm')
  const content = reads.map((type) => [type, { schema: type === 'application/x-www-form-urlencoded' ? form : schema }])
  return { description: 'No body, or `null`, is the same as `{}`.', required, content: Object.fromEntries(content) }
}

interface Body {
  readonly schema: JsonSchema
  /** No body is the same as an empty object. */
  readonly required: boolean
}

function bodyOf(takes: BodyName | undefined): Body {
  if (takes === undefined)
    return {
      schema: { type: 'object', additionalProperties: false, description: 'Nothing is to be said.' },
      required: false,
    }
  if (typeof takes === 'object') {
    const required = Object.values(takes.operation.params).some((member) => member.required)
    return { schema: reference(paramsName(takes.operation)), required }
  }
  return bodies[takes]
}

const bodies: Readonly<Record<Extract<BodyName, string>, Body>> = {
  action: { schema: reference('DealCommand'), required: true },
  attributes: { schema: reference('DealAttributes'), required: false },
  'action-or-attributes': { schema: reference('DealChange'), required: false },
  command: { schema: reference('AnyCommand'), required: true },
  'named-command': { schema: reference('NamedCommand'), required: true },
  customer: { schema: reference('CustomerBody'), required: true },
  'customer-replacement': { schema: reference('CustomerReplacement'), required: true },
  webhook: { schema: reference('WebhookBody'), required: true },
  rotation: { schema: reference('Rotation'), required: false },
  'customer-patch': { schema: reference('CustomerPatch'), required: false },
}
