import type { Command } from '../../model/intent/intent.ts'
import type { StoredEvent } from './desk.ts'

/** The event that made the revision of a command, if the command made it: a command that changed nothing has none. */
export const eventOf = ({ id }: Pick<Command, 'id'>, made: StoredEvent | undefined): StoredEvent | undefined =>
  made && (JSON.parse(made.entry) as { readonly commandId?: string }).commandId === id ? made : undefined
