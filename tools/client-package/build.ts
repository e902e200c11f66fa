import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

// The client as a package of its own, `dealdesk-client`: one module without imports, and the declarations that it leads
// to. `npm publish dist/client-package` publishes it.
const root = join(import.meta.dirname, '../..')
const compiled = join(root, 'dist/client-compiled')
const folder = join(root, 'dist/client-package')

for (const each of [compiled, folder]) rmSync(each, { recursive: true, force: true })
const tsc = join(root, 'node_modules/.bin/tsc')
execFileSync(tsc, ['--project', join(import.meta.dirname, 'tsconfig.json'), '--outDir', compiled], { stdio: 'inherit' })

for (const path of declarationsFrom(join(compiled, 'client.d.ts'))) {
  const target = join(folder, relative(compiled, path))
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, withEndings(readFileSync(path, 'utf8')))
}
cpSync(join(compiled, 'client.js'), join(folder, 'client.js'))
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
writeFileSync(join(folder, 'README.md'), readme())
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
rmSync(compiled, { recursive: true })

/** A declaration with those that it refers to: types of the model follow from the declarations of the service. */
function declarationsFrom(path: string, known = new Set<string>()): ReadonlySet<string> {
  if (known.has(path)) return known
  known.add(path)
  for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(/(?:from |import\()['"](\.{1,2}\/[^'"]+)['"]/g))
    declarationsFrom(join(dirname(path), name.replace(/\.(ts|js)$/, '.d.ts')), known)
  return known
}

/** The compiler leaves the endings in declarations alone. */
function withEndings(text: string): string {
  return text.replace(/(['"])(\.{1,2}\/[^'"\n]*)\.ts\1/g, '$1$2.js$1')
}

function readme(): string {
  return `# dealdesk-client

The typed client of Dealdesk. It needs \`fetch\` and nothing else: Node 20 and newer, bundlers, browsers.

\`\`\`ts
import { connect } from 'dealdesk-client'

const { deals } = connect('https://deals.example', { auth: { key: 'dd_…' } })
for await (const { name, price } of deals.list({ 'price.gte': 1000, sort: '-price' })) console.log(name, price)
\`\`\`
`
}

function manifest(): object {
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    name: 'dealdesk-client',
    version,
    description: 'The typed client of Dealdesk, for Node, bundlers and browsers',
    license,
    keywords: ['dealdesk', 'crm', 'client'],
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    exports: {
      '.': { types: './client.d.ts', default: './client.js' },
      './package.json': './package.json',
    },
    files: ['**/*.js', '**/*.d.ts'],
  }
}
