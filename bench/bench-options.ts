import { parseArgs } from 'node:util'
import type { Size } from './data-set.ts'
import { workloads } from './workloads.ts'

/** What a run measures and for how long. */
export interface Options {
  readonly mode:
    | 'table'
    | 'growth'
    | 'deal-growth'
    | 'commits'
    | 'postgres'
    | 'pairs'
    | 'profile'
    | 'start-up'
    | 'written'
  readonly size: Size
  readonly only: readonly string[]
  readonly rounds: number
  /** Of one round. */
  readonly seconds: number
  readonly startups: number
  /** Where data sets are kept. */
  readonly folder: string
  /** Those on which pairs are measured. */
  readonly stores: readonly ('sqlite' | 'postgres')[]
  /** Another checkout, whose service is measured in the same run. */
  readonly beside: string | undefined
  readonly json: string | undefined
  readonly svg: string | undefined
}

export const usage = `npm run bench -- dearest | desk | import | own | pages | reports | search | trim | unset | webhooks [how many]
npm run bench -- [options]
  --quick             100,000 customers, 20,000 deals, short rounds: about a minute (else 1,000,000 and 100,000)
  --only W1,W6        these workloads only: ${workloads.map(({ name }) => name).join(' ')}
  --growth            W2 selective, middle, unselective, W3 and W4 at 10k, 100k and 1M customers (quick: up to 100k)
  --deal-growth       W1 to W6, /board, /, a report and a search with as many deals and with ten times as many
  --commits           commits and syncs per write at 1, 16, 64 and 256 clients, also with 2 ms per commit
  --postgres          W1 to W6 on a PostgreSQL of the run's own, beside plain node:http with pg
  --beside FOLDER     every workload of the service and of that of another checkout, such as that of the release before,
                      in pairs of rounds on both stores, and their starts; with --sqlite or --postgres on one of them
  --written           only the bytes that a change makes both stores write, 24 changes to a commit, with --beside
                      those of the other checkout too
  --start-up          the modules that a start on an empty database loads, their bytes, and what it costs, with --beside
                      those of the other checkout too
  --profile W1        where the service spends its time under that workload
  --json FILE         the result as JSON
  --svg FILE          the result as a chart, of the table or of the growth
  --rounds N  --seconds N  --startups N  --customers N  --deals N  --data FOLDER`

export function readOptions(args: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      growth: { type: 'boolean', default: false },
      'deal-growth': { type: 'boolean', default: false },
      commits: { type: 'boolean', default: false },
      sqlite: { type: 'boolean', default: false },
      postgres: { type: 'boolean', default: false },
      written: { type: 'boolean', default: false },
      'start-up': { type: 'boolean', default: false },
      beside: { type: 'string' },
      profile: { type: 'string' },
      json: { type: 'string' },
      svg: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      startups: { type: 'string', default: '5' },
      customers: { type: 'string' },
      deals: { type: 'string' },
      data: { type: 'string', default: 'data/bench' },
    },
  })
  if (values.help) return 'help'
  const { quick, profile } = values
  const asked = modes.find((each) => values[each])
  const isPaired = values.beside !== undefined && (asked === undefined || asked === 'postgres')
  const mode = profile === undefined ? (isPaired ? 'pairs' : (asked ?? 'table')) : 'profile'
  const stores = (['sqlite', 'postgres'] as const).filter((each) => values[each])
  const usual = { ...(quick ? quickly : thoroughly), ...(mode === 'pairs' && { rounds: 11 }) }
  return {
    mode,
    size: { customers: number(values.customers) ?? usual.customers, deals: number(values.deals) ?? usual.deals },
    only: names(profile ?? values.only),
    rounds: number(values.rounds) ?? usual.rounds,
    seconds: number(values.seconds) ?? usual.seconds,
    startups: Number(values.startups),
    folder: values.data,
    stores: stores.length === 0 ? ['sqlite', 'postgres'] : stores,
    beside: values.beside,
    json: values.json,
    svg: values.svg,
  }
}

const modes = ['growth', 'deal-growth', 'commits', 'postgres', 'start-up', 'written'] as const

const thoroughly = { customers: 1_000_000, deals: 100_000, rounds: 5, seconds: 3 }
const quickly = { customers: 100_000, deals: 20_000, rounds: 3, seconds: 0.5 }

function number(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (Number.isNaN(Number(text))) throw new Error(`${text} is not a number`)
  return Number(text)
}

function names(text: string | undefined): readonly string[] {
  const all = workloads.map(({ name }) => name)
  if (text === undefined) return all
  const asked = text.split(',').map((name) => name.trim().toUpperCase())
  const unknown = asked.find((name) => !all.includes(name))
  if (unknown !== undefined) throw new Error(`there is no workload ${unknown}; there are ${all.join(', ')}`)
  return asked
}
