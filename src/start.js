// Plain JavaScript that an old Node can read: whatever is newer than the check below is imported behind it.
const OLDEST = [24, 7]
const version = process.version.slice(1)
const [major, minor] = version.split('.').map(Number)

if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(`dealdesk needs Node ${OLDEST.join('.')} or newer; this is ${version}\n`)
  process.exit(1)
}

// The cache is on before any TypeScript is read: with it, a start costs half as much time and memory. The threads look
// for the directory in the environment.
const { enableCompileCache } = await import('node:module')
const { directory } = enableCompileCache()
if (directory !== undefined && process.env.NODE_COMPILE_CACHE === undefined) process.env.NODE_COMPILE_CACHE = directory
await import('./main.ts')
