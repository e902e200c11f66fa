import { isMainThread } from 'node:worker_threads'
import type { Cost } from './cost.ts'

// Loaded before a server's own code where the operating system shows no /proc.
if (isMainThread) {
  process.on('message', (asked) => {
    if (asked !== 'cost') return
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
    const cost: Cost = {
      cpu: userCPUTime + systemCPUTime,
      memory: process.memoryUsage.rss(),
      peak: maxRSS * 1024,
      written: 0,
    }
    process.send?.(cost)
  })
}
