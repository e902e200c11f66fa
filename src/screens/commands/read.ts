import type { Call } from '../../http/contract/endpoint.ts'
import { problemType } from '../../http/contract/problems/problem-types.ts'
import { refusalProblem } from '../../http/contract/problems/refusals.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import type { Command } from '../../model/intent/intent.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import { collectionsOf } from '../../queries/collections.ts'
import { equals } from '../../queries/term.ts'
import type { Document } from '../../representations/document.ts'
import type { Desk } from '../../store/port/desk.ts'
import { mapInTurns } from '../../store/port/take-turns.ts'
import { ask } from '../parts/ask.ts'
import { hasPage, type Names, namesOf } from '../parts/names.ts'
import type { Screen } from '../parts/screen.ts'
import { readCommand, readDeal, type ShownCommand } from '../parts/shown.ts'
import { commandPage, commandsPage } from './view.ts'

/** All commands, or those of one deal. */
export async function showCommands(list: ShownList, { params, desk, service }: Call): Promise<Screen> {
  const { addresses } = service
  const stored = params.id === undefined ? undefined : await desk.find(resourceNamed(desk.schema, 'deal'), params.id)
  const about = stored && readDeal(stored.json)
  const commands = await mapInTurns(list.items, (json) => readCommand(json, desk.schema))
  const names = await commandNames(commands, desk)
  const now = new Date().toISOString()
  return () => commandsPage({ list, deal: about, commands, names, schema: desk.schema, now, addresses })
}

/** The command of a document, with the name of its deal and why it was rejected. */
export async function showCommand(
  { json }: Document,
  { refusal }: Command,
  { desk, service, schema }: Call,
): Promise<Screen> {
  const { addresses } = service
  const refused = refusal === null ? undefined : refusalProblem(refusal, schema)
  const problem = refused && { ...problemType(refused.code), ...refused }
  const command = readCommand(json, desk.schema)
  const { history } = collectionsOf(desk.schema)
  const [names, { items }] = await Promise.all([
    commandNames([command], desk),
    ask(desk, history, `revision=${command.revision}&maxpagesize=1`, [
      equals(history, command.resource.name, command.subject),
    ]),
  ])
  const isThere = hasPage(command.resource, names.get(command.resource.name)?.get(command.subject))
  return () => commandPage({ command, problem, names, isTold: isThere && items.length > 0, addresses })
}

/** The names of the commands' things, by resource and id; one statement for each kind. */
async function commandNames(commands: readonly ShownCommand[], desk: Desk): Promise<Names> {
  const kinds = Map.groupBy(commands, ({ resource }) => resource)
  const named = [...kinds].map(async ([of, those]) => {
    const ids = [...new Set(those.map(({ subject }) => subject))]
    return [of.name, await namesOf(of, ids, desk)] as const
  })
  return new Map(await Promise.all(named))
}
