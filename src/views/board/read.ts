import type { Parameter } from '../../queries/query-string.ts'
import { mayDo } from '../../values/role.ts'
import { newCommandId } from '../page-forms/command-id.ts'
import { customerNames } from '../parts/ask.ts'
import { readDeal } from '../parts/shown.ts'
import { isUser, type View, type Visit } from '../parts/visit.ts'
import { type BoardColumn, boardPage } from './view.ts'

interface StoredColumn extends Pick<BoardColumn, 'stage' | 'hasMore'> {
  readonly items: readonly string[]
}

export async function showBoard(
  stored: readonly StoredColumn[],
  parameters: readonly Parameter[],
  visit: Visit,
): Promise<View> {
  const { store, addresses } = visit.service
  const columns = stored.map(({ stage, items, hasMore }) => ({ stage, hasMore, deals: items.map(readDeal) }))
  const customers = await customerNames(
    store,
    columns.flatMap(({ deals }) => deals),
  )
  const now = new Date().toISOString()
  const commandId = mayDo(visit, 'editor') ? newCommandId : undefined
  return () => boardPage({ columns, customers, parameters, now, addresses, commandId, isUser: isUser(visit) })
}
