import { setImmediate } from 'node:timers/promises'
import type { Schema } from '../../model/declaration/schema.ts'
import { yaml } from '../../representations/yaml.ts'
import { madeInTurns } from '../../store/port/take-turns.ts'
import { memoize, onceFor } from '../../values/memoize.ts'
import type { FixedContent } from '../contract/answer.ts'
import type { Endpoint, Service } from '../contract/endpoint.ts'
import { fixed } from '../contract/success.ts'
import type { Selection } from '../describe/openapi/selection.ts'
import { fixedContent } from '../negotiate/fixed-content.ts'

/** The documents that are kept: the whole one, and small ones that people ask for again. */
const MOST_KEPT = 8

type Makes = (names: string, selection: Selection) => Promise<FixedContent>

/** The documents that are derived from all endpoints. Built, and their modules loaded, at the first request. */
export function openApiEndpoints(schema: Schema, all: () => readonly Endpoint[]): readonly Endpoint[] {
  const inJson = onceFor(
    (service: Service): Makes =>
      memoize(
        async (_names, selection) => fixedContent(await documentOf(schema, all(), service, selection)),
        MOST_KEPT,
      ),
  )
  const inYaml = onceFor(
    (service: Service): Makes =>
      memoize(async (names, selection) => {
        const { yamlSteps } = await import('../describe/openapi/yaml-document.ts')
        const { text } = await inJson(service)(names, selection)
        return fixedContent(await madeInTurns(yamlSteps(text)))
      }, MOST_KEPT),
  )
  const jsonTypes = ['application/json', 'application/vnd.oai.openapi+json'] as const
  const yamlTypes = [yaml.contentType, 'application/vnd.oai.openapi'] as const
  return [
    documentEndpoint('/openapi.json', 'This interface, for programs', jsonTypes, inJson, schema),
    documentEndpoint('/openapi.yaml', 'This interface as YAML', yamlTypes, inYaml, schema),
  ]
}

const documentEndpoint = (
  path: string,
  summary: string,
  types: readonly [string, string],
  makes: (service: Service) => Makes,
  schema: Schema,
): Endpoint => ({
  method: 'GET',
  path,
  role: 'public',
  summary,
  offers: 'content',
  types,
  parameters: ['form', 'door', 'tag'],
  describes: { group: 'Service', answers: [fixed(types[0], 'An OpenAPI document.')] },
  async handle({ service, parameters }) {
    const { readSelection } = await import('../describe/openapi/selection.ts')
    const selection = readSelection(parameters, service.doors, schema)
    if ('problem' in selection) return selection
    const names = JSON.stringify({ ...selection, door: selection.door?.name })
    return { fixed: await makes(service)(names, selection), contentType: types[0] }
  },
})

async function documentOf(
  schema: Schema,
  all: readonly Endpoint[],
  service: Service,
  selection: Selection,
): Promise<string> {
  // Node loads everything that an import leads to in one go.
  await import('../describe/openapi/schemas/schemas.ts')
  await setImmediate()
  const { documentSteps } = await import('../describe/openapi/document.ts')
  await setImmediate()
  const document = await madeInTurns(documentSteps(schema, all, service, selection))
  await setImmediate()
  return JSON.stringify(document)
}
