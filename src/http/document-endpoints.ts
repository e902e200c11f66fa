import type { Answer } from './answer.ts'
import type { Call, Endpoint, Service } from './endpoint.ts'
import { openApiDocument } from './openapi/document.ts'

/** The documents that are derived from everything that answers. `all` is asked when the first reader comes. */
export function documentEndpoints(all: () => readonly Endpoint[]): readonly Endpoint[] {
  const texts = new WeakMap<Service, string>()
  const openApi = (service: Service): string => {
    const known = texts.get(service) ?? JSON.stringify(openApiDocument(all(), service))
    texts.set(service, known)
    return known
  }
  return [
    {
      method: 'GET',
      path: '/openapi.json',
      role: 'public',
      summary: 'This interface, for programs',
      offers: 'resource',
      describes: {
        group: 'Service',
        gives: [{ status: 200, shows: { content: 'application/json' }, when: 'An OpenAPI document.' }],
      },
      handle: ({ service }: Call): Answer => ({ content: openApi(service), contentType: 'application/json' }),
    },
  ]
}
