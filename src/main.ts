import { enableCompileCache } from 'node:module'

enableCompileCache()
const { run } = await import('./cli/run.ts')
await run(process.argv.slice(2))
