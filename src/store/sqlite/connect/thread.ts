import '../../../own-imports.js'

// Where a thread begins. What it runs is loaded only now, when its imports are looked up as those of the process are.
await import(process.argv[2] as string)
const { settleEngine } = await import('../../../engine.ts')
settleEngine()
