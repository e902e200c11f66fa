import { type Collection, fieldOf } from '../../queries/collection.ts'
import { resourceOf } from '../../queries/collections.ts'
import { deliveryDocument } from '../rows/audited/delivery.ts'
import { documentItem } from '../rows/audited/field-rows.ts'
import { importDocument } from '../rows/audited/import.ts'
import { commandDocument } from '../rows/command.ts'
import { entryDocument, feedDocument, TOLD_EVENTS } from '../rows/event.ts'
import { itemOf } from '../rows/shown-document.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import { orNull } from '../sql/row-document.ts'
import { columnOf } from './columns.ts'

/** The table of a collection. */
export interface CollectionTable {
  readonly name: string
  /** The item's JSON text. */
  readonly item: string
}

export function tableOf(collection: Collection, dialect: SqlDialect): CollectionTable {
  const { name, schema } = collection
  const things = resourceOf(collection)
  if (things !== undefined) return { name, item: itemOf(things, dialect) }
  const table = tables[name]
  if (table !== undefined) return table(dialect)
  const audited = schema.audited.find(({ plural }) => plural === name)
  return { name, item: audited === undefined ? rowItem(collection, dialect) : documentItem(audited) }
}

/** The document of a row without a stored one. */
function rowItem(collection: Collection, dialect: SqlDialect): string {
  const members = collection.columns.map((name) => {
    const field = fieldOf(collection, name)
    const { text, type } = columnOf(collection, field, dialect)
    return `'"${name}":' || ${type === 'text' ? dialect.quoted(text) : orNull(text)}`
  })
  return `'{' || ${members.join(` || ',' || `)} || '}'`
}

/** Documents are stored ready; entries and events are built around their common members. */
const tables: { readonly [collection: string]: (dialect: SqlDialect) => CollectionTable } = {
  history: () => ({ name: TOLD_EVENTS, item: entryDocument.sql }),
  commands: () => ({ name: 'commands', item: commandDocument.sql }),
  events: ({ feed, sequence }) => ({ name: feed, item: feedDocument(sequence.text).sql }),
  people: () => ({ name: 'users', item: 'person' }),
  imports: (dialect) => ({ name: 'listed_imports', item: importDocument(dialect).sql }),
  deliveries: ({ sequence }) => ({ name: 'deliveries', item: deliveryDocument(sequence.text).sql }),
}
