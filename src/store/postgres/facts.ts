import type { Deal } from '../../model/deal/deal.ts'
import { type Command, customersNamed, dealSought, type Intent } from '../../model/perform.ts'
import { commandColumns, readCommand } from '../rows/command.ts'
import type { Row, Statement, Values } from './connection.ts'
import { dealColumns, readDeal } from './deal-rows.ts'

/** What must be known to decide intents on one deal. */
export interface KnownFacts {
  readonly deal: Deal | undefined
  /** When the deal came into the state before. */
  readonly previousAt: string | null
  readonly commands: ReadonlyMap<string, Command>
  readonly customers: ReadonlySet<number>
}

/** All of it as of one moment, in one round trip. */
export const factsStatement: Statement = {
  name: 'facts',
  text: `SELECT ${dealColumns.map((column) => `deals.${column}`).join(', ')},
    (SELECT json_agg(json_build_array(${commandColumns.join(', ')})) FROM commands WHERE id = ANY ($2::text[])),
    (SELECT json_agg(id) FROM customers WHERE id = ANY ($3::bigint[])),
    deals.previous_at
    FROM (SELECT 1) AS always LEFT JOIN deals ON deals.id = $1`,
}

export function factsValues(intents: readonly Intent[]): Values {
  const sought = intents.map(dealSought).find((id) => id !== undefined) ?? null
  const commands = new Set(intents.flatMap(({ command }) => command?.id ?? []))
  return [sought, [...commands], [...new Set(intents.flatMap(customersNamed))]]
}

export function readFacts([row = []]: readonly Row[]): KnownFacts {
  const [commands, customers, previousAt] = row.slice(dealColumns.length)
  return {
    deal: readDeal(row),
    previousAt: (previousAt as string | null | undefined) ?? null,
    commands: new Map(rowsIn(commands).map((each) => [String(each[0]), readCommand(each)])),
    customers: new Set(JSON.parse(String(customers ?? '[]')) as number[]),
  }
}

const rowsIn = (text: unknown): readonly Row[] => JSON.parse(String(text ?? '[]')) as Row[]
