import { join } from 'node:path'

/** The manifest of the checkout, while the published one stands in its place. */
export const backup: string = join(import.meta.dirname, 'package.json.checkout')

/** The lock that goes with the package; it is there only while the package is made. */
export const shrinkwrap: string = join(import.meta.dirname, '../../npm-shrinkwrap.json')

type Manifest = { readonly [name: string]: unknown }

/** The manifest of the package: compiled files, and the oldest Node that runs them. */
export function publishedManifest(manifest: Manifest): Manifest {
  const { name, version, description, license, keywords, type, dependencies } = manifest
  return {
    name,
    version,
    description,
    license,
    keywords,
    type,
    engines: { node: '>=24.7' },
    bin: { dealdesk: 'dist/start.js' },
    exports: {
      './client': { types: './dist/client.d.ts', default: './dist/client.js' },
      './package.json': './package.json',
    },
    // A key that somebody made where deploy/monitoring says so stays here.
    files: ['dist', 'docs', 'deploy', '!deploy/monitoring/key', 'CHANGELOG.md', 'npm-shrinkwrap.json'],
    dependencies,
  }
}

/** The lock of the package, which npm installs by: the versions that were tested, of what it needs at run time. */
export function publishedLock(lock: Lock, manifest: Manifest): Lock {
  const { name, version, license, engines, bin, dependencies } = publishedManifest(manifest)
  const { '': _, ...packages } = lock.packages
  const needed = Object.entries(packages).filter(([, { dev }]) => dev !== true)
  return {
    ...lock,
    packages: { '': { name, version, license, dependencies, bin, engines }, ...Object.fromEntries(needed) },
  }
}

export interface Lock extends Manifest {
  readonly packages: { readonly [path: string]: Manifest }
}
