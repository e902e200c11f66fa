import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Options } from './bench-options.ts'
import { type DataSet, dataSet } from './data-set.ts'
import { type Generator, startGenerator } from './load/load.ts'
import { type Machine, thisMachine } from './machine.ts'
import { machineLine } from './table.ts'

/** What every kind of run works with. */
export interface Bench {
  readonly options: Options
  readonly machine: Machine
  readonly generator: Generator
  /** For the copies that are written to; removed at the end. */
  readonly scratch: string
  data(size?: DataSet | Options['size']): DataSet
  /** What is shown while it is measured. */
  tell(line: string): void
  /** What is the result. */
  print(text: string): void
  save(file: string | undefined, text: string): void
}

export async function withBench(options: Options, run: (bench: Bench) => Promise<void>): Promise<void> {
  const machine = thisMachine(new Date())
  const tell = (line: string): void => void process.stderr.write(`${line}\n`)
  const print = (text: string): void => void process.stdout.write(`${text}\n`)
  const data = dataSet(options.folder, options.size, tell)
  const scratch = mkdtempSync(join(options.folder, 'run-'))
  const remove = (): void => rmSync(scratch, { recursive: true, force: true })
  process.on('exit', remove)
  process.on('SIGINT', () => process.exit(130))
  const generator = startGenerator()
  try {
    print(`${machineLine(machine)}\n`)
    await run({
      options,
      machine,
      generator,
      scratch,
      data: (size) => (size === undefined ? data : dataSet(options.folder, size, tell)),
      tell,
      print,
      save(file, text) {
        if (file !== undefined) writeFileSync(file, text)
      },
    })
  } finally {
    generator.stop()
  }
}
