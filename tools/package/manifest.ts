import { join } from 'node:path'

/** The manifest of the checkout, while the published one stands in its place. */
export const backup: string = join(import.meta.dirname, 'package.json.checkout')

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
    files: ['dist', 'docs', 'deploy', '!deploy/monitoring/key', 'CHANGELOG.md'],
    dependencies,
  }
}
