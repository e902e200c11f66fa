import type { Settings } from '../config.ts'
import type { ExportOptions } from './commands/export.ts'
import { Failure } from './failure.ts'

export async function exportCollection(
  _s: Settings,
  _w: string,
  _f: string | undefined,
  _o: ExportOptions,
): Promise<number> {
  throw new Failure('not here yet')
}
