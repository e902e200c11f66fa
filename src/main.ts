import { run } from './cli/run.ts'

// A reader may close the pipe early, as `head` does. That is no failure: what was asked for is done to its end.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EPIPE') throw cause
  })
}

await run(process.argv.slice(2))
