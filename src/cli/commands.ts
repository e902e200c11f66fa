import type { DefineCommand } from './command.ts'
import { defineBackup } from './commands/backup.ts'
import { defineCopy } from './commands/copy.ts'
import { defineKey, defineUser } from './commands/credentials.ts'
import { defineDoctor } from './commands/doctor.ts'
import { defineExport } from './commands/export.ts'
import { defineImport } from './commands/import.ts'
import { defineListen } from './commands/listen.ts'
import { definePurge } from './commands/purge.ts'
import { defineRestore } from './commands/restore.ts'
import { defineServe } from './commands/serve.ts'
import { defineMigrate, defineVacuum } from './commands/tending.ts'
import { defineWebhook } from './commands/webhook.ts'

/** Every command, in the order of `--help`. Each loads its modules only when it runs. */
export const commands: readonly DefineCommand[] = [
  defineServe,
  defineImport,
  defineExport,
  defineUser,
  defineKey,
  defineMigrate,
  defineBackup,
  defineRestore,
  defineCopy,
  definePurge,
  defineVacuum,
  defineDoctor,
  defineListen,
  defineWebhook,
]
