import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { threadId } from 'node:worker_threads'

// Loaded before the service, in each of its threads: notes what they load.

registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) appendFileSync(process.env.LOADED_MODULES ?? '', `${threadId} ${url}\n`)
    return next(url, context)
  },
})
