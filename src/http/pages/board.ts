import type { Document } from '../../representations/document.ts'
import { type BoardColumn, boardPage } from '../../views/board.ts'
import { readDeal } from '../../views/shown.ts'
import { type Call, mayDo } from '../endpoint.ts'
import { sentParameters } from '../resources/collection-endpoint.ts'
import { newCommandId } from '../resources/page-forms.ts'
import { customerNames } from './ask.ts'

interface Column extends Pick<BoardColumn, 'stage' | 'hasMore'> {
  readonly items: readonly string[]
}

export async function showBoard(read: readonly Column[], call: Call): Promise<Document['page']> {
  const { store, addresses } = call.service
  const columns = read.map(({ stage, items, hasMore }) => ({ stage, hasMore, deals: items.map(readDeal) }))
  const customers = await customerNames(
    store,
    columns.flatMap(({ deals }) => deals),
  )
  const parameters = sentParameters(call.search)
  const now = new Date().toISOString()
  return () =>
    boardPage({
      columns,
      customers,
      parameters,
      now,
      places: addresses,
      commandId: mayDo(call, 'editor') ? newCommandId : undefined,
    })
}
