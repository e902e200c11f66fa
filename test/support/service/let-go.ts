import type { RunningService } from '../../../src/service/start-service.ts'

/**
 * A service that lets its memory go when it is closed. The files of a room stay loaded with their variables, and each
 * collection of garbage would visit all services that they ever had.
 */
export function letGoWhenClosed(started: RunningService): RunningService {
  const { proxy: store, revoke } = Proxy.revocable(started.store, {})
  let open: RunningService | undefined = started
  return {
    url: started.url,
    store,
    logAll: (isWanted) => (open ?? closed()).logAll(isWanted),
    async close(grace) {
      await open?.close(grace)
      open = undefined
      revoke()
    },
  }
}

function closed(): never {
  throw new Error('the service is closed')
}
