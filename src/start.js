#!/usr/bin/env node
// Plain JavaScript that an old Node can read; everything newer is imported after the check below.
const OLDEST = [24, 7]
const version = process.version.slice(1)
const [major, minor] = version.split('.').map(Number)

if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(`dealdesk needs Node ${OLDEST.join('.')} or newer; this is ${version}\n`)
  process.exit(1)
}

// Enable the cache before any TypeScript is read: it halves the time and memory of a start. The threads find the
// directory in the environment.
const { enableCompileCache } = await import('node:module')
const { directory } = enableCompileCache()
if (directory !== undefined && process.env.NODE_COMPILE_CACHE === undefined) process.env.NODE_COMPILE_CACHE = directory
await import('./main.ts')
