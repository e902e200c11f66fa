import { createServer } from 'node:http'
import { isMainThread } from 'node:worker_threads'

// Loaded before the service: tells how long its main thread worked without a pause, at most, in milliseconds of its own
// CPU. Unlike what a client waits, that does not depend on what else the machine does.

const TICK = 1

if (isMainThread) {
  let most = 0
  let before = process.threadCpuUsage()
  setInterval(() => {
    const now = process.threadCpuUsage()
    most = Math.max(most, now.user + now.system - before.user - before.system)
    before = now
  }, TICK).unref()
  createServer((_request, response) => {
    response.end(String(most / 1000))
    most = 0
  })
    .listen(Number(process.env.HELD_PORT), '127.0.0.1')
    .unref()
}
