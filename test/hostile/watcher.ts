import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

/** The longest that others waited for each of some services since the last lap. */
export interface Watcher {
  lap(): Promise<readonly number[]>
  stop(): Promise<unknown>
}

export function watch(urls: readonly string[]): Watcher {
  const worker = new Worker(join(import.meta.dirname, 'watch.ts'), { workerData: urls })
  return {
    async lap() {
      const answer = once(worker, 'message')
      worker.postMessage('lap')
      const [longest] = (await answer) as [readonly number[]]
      return longest
    },
    stop: () => worker.terminate(),
  }
}
