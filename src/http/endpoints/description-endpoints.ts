import type { Schema } from '../../model/declaration/schema.ts'
import { memoize, onceFor } from '../../values/memoize.ts'
import type { FixedContent } from '../contract/answer.ts'
import type { Endpoint, Service } from '../contract/endpoint.ts'
import { fixed } from '../contract/success.ts'
import type { Selection } from '../describe/openapi/selection.ts'
import type { Printer } from '../describe/printer.ts'
import { printers } from '../describe/printers.ts'
import { fixedContent } from '../negotiate/fixed-content.ts'

/** The documents of each printer that are kept: the whole one, and small ones that people ask for again. */
const MOST_KEPT = 8

type Makes = (names: string, selection: Selection) => Promise<FixedContent>

/** The documents that are derived from all endpoints. Built, and their modules loaded, at the first request. */
export function descriptionEndpoints(schema: Schema, all: () => readonly Endpoint[]): readonly Endpoint[] {
  const documentsOf = onceFor((service: Service): ((printer: Printer) => Makes) =>
    onceFor((printer: Printer) =>
      memoize(async (names, selection) => {
        const textOf = async (other: Printer) => (await documentsOf(service)(other)(names, selection)).text
        return fixedContent(await printer.print({ schema, endpoints: all(), service, selection, textOf }))
      }, MOST_KEPT),
    ),
  )
  return printers.map((printer) => documentEndpoint(printer, (service) => documentsOf(service)(printer), schema))
}

const documentEndpoint = (
  { path, summary, says, types }: Printer,
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
  describes: { group: 'Service', answers: [fixed(types[0], says)] },
  async handle({ service, parameters }) {
    const { readSelection } = await import('../describe/openapi/selection.ts')
    const selection = readSelection(parameters, service.doors, schema)
    if ('problem' in selection) return selection
    const names = JSON.stringify({ ...selection, door: selection.door?.name })
    return { fixed: await makes(service)(names, selection), contentType: types[0] }
  },
})
