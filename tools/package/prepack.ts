import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backup, publishedLock, publishedManifest, shrinkwrap } from './manifest.ts'

// Node strips no types under node_modules, so what is installed is compiled: here, when it is packed.
const root = join(import.meta.dirname, '../..')
const dist = join(root, 'dist')

rmSync(dist, { recursive: true, force: true })
// All of it, whatever was compiled before: an incremental compiler writes what changed only. A type error fails the pack;
// `npm test`, which checks the types first, says so and saves the second check.
const args = ['--singleThreaded', '--project', join(import.meta.dirname, 'tsconfig.json')]
if (process.env.TYPES_ARE_CHECKED === 'true') args.push('--noCheck')
execFileSync(join(root, 'node_modules/.bin/tsc'), args, { stdio: 'inherit' })
cpSync(join(root, 'src'), dist, { recursive: true, filter: (path) => !path.endsWith('.ts') })

// The compiler leaves alone what is not an import: the addresses of threads, plain JavaScript, the declarations.
for (const file of globSync('**/*.{js,d.ts}', { cwd: dist })) {
  const path = join(dist, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace(/(['"])(\.{1,2}\/[^'"\n]*)\.ts\1/g, '$1$2.js$1'))
}

// What is installed and what is checked out differ in their manifests; `postpack` puts the latter back.
const manifest = readFileSync(existsSync(backup) ? backup : join(root, 'package.json'), 'utf8')
writeFileSync(backup, manifest)
writeFileSync(join(root, 'package.json'), `${JSON.stringify(publishedManifest(JSON.parse(manifest)), null, 2)}\n`)
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
writeFileSync(shrinkwrap, `${JSON.stringify(publishedLock(lock, JSON.parse(manifest)), null, 2)}\n`)
