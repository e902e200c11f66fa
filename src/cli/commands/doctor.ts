import type { DefineCommand } from '../command.ts'

export const defineDoctor: DefineCommand = (program) => {
  program
    .command('doctor')
    .summary('check settings, database, clock, disk and versions')
    .description(
      'Check settings, database, clock, disk and versions, beside a running service or before a start. Nothing is changed. Exits with 1 if there is a fault.',
    )
    .option('--thorough', 'read the whole database, however large')
    // Without the settings that other commands get: they may be the fault.
    .action(async ({ thorough = false }: { readonly thorough?: boolean }) => {
      const { doctor } = await import('../actions/examine.ts')
      process.exitCode = await doctor(process.env, program.version() ?? '', { isThorough: thorough })
    })
}
