import { StoreUnavailable } from '../../../src/store/port/store.ts'

/**
 * Runs a test of what a lost connection leaves. A write waits some seconds for the database to come back: where a busy
 * machine takes longer, nothing is shown, and it is run again.
 */
export const whileBack = (run: () => Promise<void>) => async (): Promise<void> => {
  for (let tries = 1; ; tries++) {
    try {
      return await run()
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable) || tries === 5) throw cause
    }
  }
}
