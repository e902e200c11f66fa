import { openApiJson, openApiYaml } from './openapi/printers.ts'
import type { Printer } from './printer.ts'

/** The documents of the whole interface; doors describe themselves. */
export const printers: readonly Printer[] = [openApiJson, openApiYaml]
