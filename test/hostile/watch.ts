import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

// A client in a thread of its own, which asks services all along whether they live. Each message is answered with the
// longest that was waited between two answers of each since the last one, in milliseconds.

const PAUSE = 5
const urls = workerData as readonly string[]
const longest = urls.map(() => 0)
const last = urls.map(() => performance.now())

const seen = (at: number): void => {
  const now = performance.now()
  longest[at] = Math.max(longest[at] ?? 0, now - (last[at] ?? now))
  last[at] = now
}

const agent = new Agent({ keepAlive: true })
const ask = (at: number): void => {
  const request = get(`${urls[at]}/health/live`, { agent }, (answer) => {
    answer.resume().once('end', () => {
      seen(at)
      setTimeout(ask, PAUSE, at)
    })
  })
  // A service that does not answer is one that is waited for.
  request.once('error', () => setTimeout(ask, PAUSE, at))
}

for (const at of urls.keys()) ask(at)

parentPort?.on('message', () => {
  const now = performance.now()
  parentPort?.postMessage(longest.map((each, at) => Math.max(each, now - (last[at] ?? now))))
  longest.fill(0)
})
