import { readFileSync, writeFileSync } from 'node:fs'
import { type Feature, features } from './foreign-client.ts'

/** What came of a feature of a client: it works, is not done for a reason, or fails. */
export type Cell = 'works' | { readonly without: string } | { readonly fails: string }

export interface Row {
  readonly client: string
  readonly door: string
  readonly cells: ReadonlyMap<Feature | 'types', Cell>
}

const columns = { types: 'types', ...features }

/** The table as Markdown: the reasons stand below it, each once. */
export function tableOf(rows: readonly Row[]): string {
  const reasons: string[] = []
  const mark = (cell: Cell | undefined): string => {
    if (cell === 'works') return 'yes'
    if (cell === undefined) return ''
    if ('fails' in cell) return '**fails**'
    if (!reasons.includes(cell.without)) reasons.push(cell.without)
    return `no (${reasons.indexOf(cell.without) + 1})`
  }
  const lines = rows.map(({ client, door, cells }) => [
    client,
    door,
    ...Object.keys(columns).map((name) => mark(cells.get(name as Feature))),
  ])
  const heads = ['client', 'at', ...Object.values(columns)]
  const table = [heads, heads.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`)
  return [...table, ...(reasons.length > 0 ? [''] : []), ...reasons.map((reason, at) => `${at + 1}. ${reason}`)].join(
    '\n',
  )
}

/** Writes the table between its marks in a document. */
export function writeTable(document: string, table: string): void {
  const before = readFileSync(document, 'utf8')
  const after = before.replace(marked, (_, start, end) => `${start}\n\n${table}\n\n${end}`)
  if (!marked.test(before)) throw new Error(`${document} has no place for the table`)
  if (after !== before) writeFileSync(document, after)
}

const marked = /(<!-- clients -->)[\s\S]*?(<!-- \/clients -->)/
