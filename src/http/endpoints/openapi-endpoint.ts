import { setImmediate } from 'node:timers/promises'
import type { Schema } from '../../model/declaration/schema.ts'
import { madeInTurns } from '../../store/port/take-turns.ts'
import { onceFor } from '../../values/memoize.ts'
import type { Endpoint, Service } from '../contract/endpoint.ts'
import { fixed } from '../contract/success.ts'
import { fixedContent } from '../negotiate/fixed-content.ts'

/** The document that is derived from all endpoints. Built, and its modules loaded, at the first request. */
export function openApiEndpoint(schema: Schema, all: () => readonly Endpoint[]): Endpoint {
  const openApi = onceFor(async (service: Service) => {
    // Node loads everything that an import leads to in one go.
    await import('../describe/openapi/schemas/schemas.ts')
    await setImmediate()
    const { documentSteps } = await import('../describe/openapi/document.ts')
    await setImmediate()
    const document = await madeInTurns(documentSteps(schema, all(), service))
    await setImmediate()
    return fixedContent(JSON.stringify(document))
  })
  return {
    method: 'GET',
    path: '/openapi.json',
    role: 'public',
    summary: 'This interface, for programs',
    offers: 'content',
    types: ['application/json', 'application/vnd.oai.openapi+json'],
    describes: { group: 'Service', answers: [fixed('application/json', 'An OpenAPI document.')] },
    handle: async ({ service }) => ({ fixed: await openApi(service), contentType: 'application/json' }),
  }
}
