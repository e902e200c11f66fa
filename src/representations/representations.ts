import { csv } from './csv.ts'
import { html } from './html.ts'
import { json } from './json.ts'
import { ndjson } from './ndjson.ts'
import type { DocumentKind, Representation } from './representation.ts'
import { xml } from './xml.ts'

/** The list. Where a client likes several equally well, the earlier one is sent. */
export const representations = [json, xml, html, csv, ndjson] as const satisfies readonly Representation[]

/** Those that can carry a kind of document: one list per kind, always the same one, so that choices can be cached. */
export const representationsOf: { readonly [K in DocumentKind]: readonly Representation[] } = {
  resource: representations.filter((each) => each.carries('resource')),
  page: representations.filter((each) => each.carries('page')),
  list: representations.filter((each) => each.carries('list')),
  problem: representations.filter((each) => each.carries('problem')),
}
