import type { Schema } from '../../../model/declaration/schema.ts'
import { conditionOf } from '../../../model/nouns/webhook/condition.ts'
import { conditionFilter } from '../../../queries/parse/condition.ts'
import type { Row } from '../../sql/statement.ts'
import type { StoredFilter } from './broken-conditions.ts'

export const hooksWithConditions = {
  text: `SELECT id, url, types, condition, changed, owner FROM webhooks
    WHERE status = 'active' AND (condition IS NOT NULL OR changed IS NOT NULL) ORDER BY id`,
}

/** The condition of a webhook, which is called by its address. */
export function hookCondition([id, url, types, where, changed, owner]: Row): StoredFilter {
  const condition = conditionOf({
    types: listIn(types),
    where: textIn(where),
    changed: listIn(changed),
    owner: textIn(owner),
  })
  const filter = (schema: Schema) => (condition === undefined ? [] : conditionFilter(schema, condition))
  return { on: 'webhook', id: String(id), name: String(url), filter }
}

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const listIn = (value: unknown): readonly string[] | null => (typeof value === 'string' ? JSON.parse(value) : null)
