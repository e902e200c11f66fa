import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// The manifest of a checkout that is only packed, as the Dockerfile does: the compiler and its types are all it needs of the
// development's packages. `npm ci` then takes them, in the versions of the lock, and leaves the others out.
const path = join(import.meta.dirname, '../../package.json')
const manifest = JSON.parse(readFileSync(path, 'utf8')) as { readonly devDependencies: Record<string, string> }
const needed = Object.entries(manifest.devDependencies).filter(([name]) => /^(typescript$|@types\/)/.test(name))
writeFileSync(path, JSON.stringify({ ...manifest, devDependencies: Object.fromEntries(needed) }, null, 2))
