import { deal } from '../../model/deal/deal.ts'
import { collections } from '../../queries/collections.ts'
import type { Document } from '../../representations/document.ts'
import type { Store } from '../../store/port/store.ts'
import { ask } from '../parts/ask.ts'
import { readCommand, readDeal, type ShownCommand } from '../parts/shown.ts'
import type { ShownList, View, Visit } from '../parts/visit.ts'
import { commandPage, commandsPage } from './view.ts'

/** All commands, or those of one deal. */
export async function showCommands(list: ShownList, { params, service }: Visit): Promise<View> {
  const { store, addresses } = service
  const stored = params.id === undefined ? undefined : await store.find(deal, params.id)
  const about = stored && readDeal(stored.json)
  const commands = list.items.map(readCommand)
  const names = await namesOf(commands, store)
  const now = new Date().toISOString()
  return () => commandsPage({ ...list, deal: about, commands, names, now, addresses })
}

/** The command of a document, with the name of its deal. */
export async function showCommand({ json }: Document, { service }: Visit): Promise<View> {
  const { store, addresses } = service
  const command = readCommand(json)
  const names = await namesOf([command], store)
  return () => commandPage({ command, names, addresses })
}

/** The names of the deals and customers that commands are about, by what they are and their id. */
async function namesOf(commands: readonly ShownCommand[], store: Store): Promise<ReadonlyMap<string, string>> {
  const idsOf = (name: string) => [
    ...new Set(commands.filter(({ resource }) => resource === name).map(({ subject }) => subject)),
  ]
  const [ofDeals, ofCustomers] = [idsOf('deal'), idsOf('customer')]
  const [deals, customers] = await Promise.all([
    ofDeals.length === 0
      ? []
      : ask(store, collections.deals, `id=${ofDeals.join()}&deleted.in=true,false&maxpagesize=1000`).then(({ items }) =>
          items.map(readDeal),
        ),
    store.customerNames(ofCustomers.map(Number)),
  ])
  return new Map([
    ...deals.map(({ id, name }) => [`deal ${id}`, name] as const),
    ...[...customers].map(([id, name]) => [`customer ${id}`, name] as const),
  ])
}
