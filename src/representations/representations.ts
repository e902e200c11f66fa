import type { ListedItems } from '../values/listed-items.ts'
import { atom } from './atom.ts'
import { csv } from './csv.ts'
import { hal } from './hal.ts'
import { html } from './html.ts'
import { ics } from './ics.ts'
import { json } from './json.ts'
import { ndjson } from './ndjson.ts'
import type { DocumentKind, Representation } from './representation.ts'
import { xlsx } from './xlsx.ts'
import { xml } from './xml.ts'
import { yaml } from './yaml.ts'

/** All representations. If a client accepts several equally, the earlier one is sent. */
export const representations: readonly Representation[] = [json, xml, html, csv, ndjson, hal, yaml, xlsx, ics, atom]

/** The names of those that write the whole result of a query. */
export const wholeFormats: readonly string[] = representations.flatMap(({ name, whole }) => (whole ? [name] : []))

/** The representations of a kind of document; for a list, of its items. */
export const carrying = (kind: DocumentKind, items?: ListedItems): readonly Representation[] =>
  representations.filter((each) => each.carries(kind, items))
