import type { Document } from '../../representations/document.ts'
import { commandPage, commandsPage } from '../../views/commands.ts'
import { readDeal, type ShownCommand } from '../../views/shown.ts'
import type { Call } from '../endpoint.ts'
import type { CollectionAddress } from '../resources/collection-endpoint.ts'

/** All commands, or those to the deal that the address names. */
export const showCommands: NonNullable<CollectionAddress['page']> = async (list, { params, service }) => {
  const stored = params.id === undefined ? undefined : await service.store.deal(params.id)
  const deal = stored && { deal: readDeal(stored.json) }
  const commands = list.items.map((json) => JSON.parse(json) as ShownCommand)
  const now = new Date().toISOString()
  return () => commandsPage({ ...list, ...deal, links: { ...list.links }, commands, now, places: service.addresses })
}

/** The command of a document, with the name of its deal. */
export async function showCommand({ json }: Document, { service }: Call): Promise<Document['page']> {
  const command = JSON.parse(json) as ShownCommand
  const deal = await service.store.deal(command.deal)
  const { name } = JSON.parse(deal?.json ?? '{"name":"a deal that is no more"}') as { readonly name: string }
  return () => commandPage({ command, dealName: name, places: service.addresses })
}
