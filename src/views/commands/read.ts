import { deal } from '../../model/deal/deal.ts'
import type { Document } from '../../representations/document.ts'
import { readCommand, readDeal } from '../parts/shown.ts'
import type { ShownList, View, Visit } from '../parts/visit.ts'
import { commandPage, commandsPage } from './view.ts'

/** All commands, or those of one deal. */
export async function showCommands(list: ShownList, { params, service }: Visit): Promise<View> {
  const { store, addresses } = service
  const stored = params.id === undefined ? undefined : await store.find(deal, params.id)
  const about = stored && readDeal(stored.json)
  const commands = list.items.map(readCommand)
  const now = new Date().toISOString()
  return () => commandsPage({ ...list, deal: about, commands, now, addresses })
}

/** The command of a document, with the name of its deal. */
export async function showCommand({ json }: Document, { service }: Visit): Promise<View> {
  const { store, addresses } = service
  const command = readCommand(json)
  const stored = command.resource === deal.name ? await store.find(deal, command.subject) : undefined
  const dealName = stored === undefined ? 'a deal that was purged' : readDeal(stored.json).name
  return () => commandPage({ command, dealName, addresses })
}
