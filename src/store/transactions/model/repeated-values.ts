import { valueIn } from '../../../model/declaration/operation.ts'
import type { Key } from '../../../model/declaration/resource.ts'
import type { Schema } from '../../../model/declaration/schema.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import { ownField } from '../../../values/json/own.ts'
import type { OwnIndexes } from '../../port/own-indexes.ts'
import { membersInOwn } from '../../rows/things.ts'
import { ownTable } from '../../rows/unique-lookup.ts'
import { type SqlDialect, statementIn } from '../../sql/dialect.ts'
import type { RunStatement } from '../work.ts'

/** The most repeated values that are listed. */
const MOST_REPEATS = 50

/** Reads the values that several things have in an added field, from its index. */
export const repeatReader =
  (dialect: SqlDialect, scan: RunStatement, schemaNow: () => Schema): OwnIndexes['repeats'] =>
  async (on, name) => {
    const resource = resourceNamed(schemaNow(), on)
    const { row, key } = dialect.ownIndex
    const table = ownTable(resource)
    const repeated = `SELECT value FROM ${table} WHERE field = ?1 GROUP BY value HAVING count(*) > 1
      ORDER BY value LIMIT ${MOST_REPEATS}`
    const text = `SELECT min(things.id), max(things.id), min(things.own) FROM (${repeated}) AS repeated
      JOIN ${table} AS own ON own.field = ?1 AND own.value = repeated.value
      JOIN ${resource.plural} AS things ON things.${key} = own.${row}
      GROUP BY repeated.value ORDER BY repeated.value`
    const rows = await scan(statementIn(dialect, { text }), name)
    const field = ownField(name)
    return rows.map(([first, last, own]) => ({
      value: resource.kinds[field]?.write(valueIn(membersInOwn(resource, own), field)) as string | number,
      things: [first as Key, last as Key],
    }))
  }
