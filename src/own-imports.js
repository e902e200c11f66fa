import { registerHooks } from 'node:module'

// Imported first by the process and by each of its threads. Our own imports name their files: what Node would look up
// for each of them, such as its package, takes a fifth of a start.
const own = new URL('.', import.meta.url).href
const formatOf = (file) => (file.endsWith('.ts') ? 'module-typescript' : 'module')
const noSemver = { url: new URL('no-semver.cjs', own).href, format: 'commonjs', shortCircuit: true }
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('.') && String(context.parentURL).startsWith(own))
      return { url: new URL(specifier, context.parentURL).href, format: formatOf(specifier), shortCircuit: true }
    return specifier === 'semver' ? noSemver : next(specifier, context)
  },
})
