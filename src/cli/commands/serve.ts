import type { DefineCommand } from '../command.ts'

export const defineServe: DefineCommand = (program, run) => {
  program
    .command('serve', { isDefault: true })
    .summary('run the service (what happens without a command)')
    .description('Run the service until it is told to stop (ctrl-C, SIGTERM).')
    .option('--demo', 'fill an empty database with 1,000 customers and 60 deals first, the same each time')
    .action(
      run(async (settings, { demo = false }: { readonly demo?: boolean }) => {
        const { serve } = await import('../serve.ts')
        await serve(settings, { demo })
        return undefined
      }),
    )
}
