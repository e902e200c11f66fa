import { run } from './cli/run.ts'

// A reader may close the pipe early, as `head` does. That is no failure: what was asked for is done to its end.
process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
  if (cause.code !== 'EPIPE') throw cause
})

await run(process.argv.slice(2))
