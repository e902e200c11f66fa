import type { Schema } from '../../model/declaration/schema.ts'
import { ownName } from '../../values/json/own.ts'
import { indexedOwn } from './unique-lookup.ts'

/** The tables and names of the added fields that have an index: triggers keep it from then on, for every writer. */
export const ownIndexes = ({ resources }: Schema): readonly (readonly [table: string, field: string])[] =>
  resources.flatMap((resource) => indexedOwn(resource).map(({ name }) => [resource.plural, ownName(name)] as const))

export const KEEP_OWN_INDEX = 'INSERT INTO own_indexes (on_table, field) VALUES (?1, ?2) ON CONFLICT DO NOTHING'
