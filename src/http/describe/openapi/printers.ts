import { setImmediate } from 'node:timers/promises'
import { yaml } from '../../../representations/yaml.ts'
import { madeInTurns } from '../../../store/port/take-turns.ts'
import type { Printer } from '../printer.ts'

const says = 'An OpenAPI document.'

export const openApiJson: Printer = {
  path: '/openapi.json',
  summary: 'This interface, for programs',
  says,
  types: ['application/json', 'application/vnd.oai.openapi+json'],
  async print({ schema, endpoints, service, selection }) {
    // Node loads everything that an import leads to in one go.
    await import('./schemas/schemas.ts')
    await setImmediate()
    const { documentSteps } = await import('./document.ts')
    await setImmediate()
    const document = await madeInTurns(documentSteps(schema, endpoints, service, selection))
    await setImmediate()
    return JSON.stringify(document)
  },
}

export const openApiYaml: Printer = {
  path: '/openapi.yaml',
  summary: 'This interface as YAML',
  says,
  types: [yaml.contentType, 'application/vnd.oai.openapi'],
  async print({ textOf }) {
    const { yamlSteps } = await import('./yaml-document.ts')
    return madeInTurns(yamlSteps(await textOf(openApiJson)))
  },
}
