import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

// Asks for /health/live again and again, in a thread of its own: what reads a large answer must not hold it up.
// A message of the parent asks for what was measured since the last one.

const { port } = workerData as { readonly port: number }
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const PAUSE = 5
const PATIENCE = 60_000
let times: number[] = []
let begun = performance.now()

function ask(): void {
  begun = performance.now()
  const request = get({ host: '127.0.0.1', port, path: '/health/live', agent, timeout: PATIENCE }, (answer) => {
    answer.resume()
    answer.once('end', next)
  })
  request.once('error', next)
}

function next(): void {
  times.push(performance.now() - begun)
  setTimeout(ask, PAUSE)
}

parentPort?.on('message', () => {
  // The one under way counts too.
  parentPort?.postMessage([...times, performance.now() - begun])
  times = []
})
ask()
