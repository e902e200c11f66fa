import { fileFailure } from './cli/failure.ts'
import { fail, run } from './cli/run.ts'

// A reader may close the pipe early, as `head` does. This is not a failure: the command still completes.
process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
  if (cause.code !== 'EPIPE') fail(fileFailure('standard output', cause))
})
// Ignore errors of stderr: a lost message must not stop the command.
process.stderr.on('error', () => {})

await run(process.argv.slice(2))
