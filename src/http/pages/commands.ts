import { commandPage, commandsPage } from '../../pages/commands.ts'
import type { ShownCommand } from '../../pages/shown.ts'
import type { Document } from '../../representations/document.ts'
import type { CollectionAddress } from '../collection-endpoint.ts'
import type { Call } from '../endpoint.ts'

export const showCommands: NonNullable<CollectionAddress['page']> = async (list, call) => {
  const commands = list.items.map((json) => JSON.parse(json) as ShownCommand)
  const now = new Date().toISOString()
  return () => commandsPage({ ...list, links: { ...list.links }, commands, now, places: call.service.addresses })
}

/** The command of a document, with the name of its deal. */
export async function showCommand({ json }: Document, { service }: Call): Promise<Document['page']> {
  const command = JSON.parse(json) as ShownCommand
  const deal = await service.store.deal(command.deal)
  const { name } = JSON.parse(deal?.json ?? '{"name":"a deal that is no more"}') as { readonly name: string }
  return () => commandPage({ command, dealName: name, places: service.addresses })
}
