import type { DefineCommand } from './command.ts'
import { defineBackup } from './commands/backup.ts'
import { defineCopy } from './commands/copy.ts'
import { defineKey, defineUser } from './commands/credentials.ts'
import { defineExport } from './commands/export.ts'
import { defineImport } from './commands/import.ts'
import { definePurge } from './commands/purge.ts'
import { defineServe } from './commands/serve.ts'

/** Every command, in the order of `--help`. Each loads its modules only when it runs. */
export const commands: readonly DefineCommand[] = [
  defineServe,
  defineImport,
  defineExport,
  defineUser,
  defineKey,
  defineBackup,
  defineCopy,
  definePurge,
]
