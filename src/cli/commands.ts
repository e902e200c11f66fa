import type { DefineCommand } from './command.ts'
import { defineKey, defineUser } from './commands/credentials.ts'
import {
  defineBackup,
  defineCopy,
  defineMigrate,
  definePurge,
  defineRestore,
  defineVacuum,
} from './commands/database.ts'
import { defineDoctor } from './commands/doctor.ts'
import { defineExport } from './commands/export.ts'
import { defineImport } from './commands/import.ts'
import { defineListen } from './commands/listen.ts'
import { defineTypes } from './commands/own-types.ts'
import { defineServe } from './commands/serve.ts'
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
  defineTypes,
  defineWebhook,
]
