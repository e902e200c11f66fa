import { readFileSync } from 'node:fs'

/** The exports of modules that the service makes, by the name of the module. */
export interface Provided {
  readonly [module: string]: { readonly [name: string]: unknown }
}

/**
 * The modules of `assets/script` as one file. As in a browser, each is evaluated once, in its own scope, after those that
 * it imports: it becomes a function whose parameters are its imports and whose result is its exports. decisions/0027
 */
export function joinedScript(entry: string, provided: Provided): string {
  const joined = new Map(
    Object.entries(provided).map(([name, values]) => [name, `const ${constantOf(name)} = ${JSON.stringify(values)}`]),
  )
  const join = (name: string): void => {
    if (joined.has(name)) return
    const { imports, body, exports } = moduleOf(name)
    for (const { from } of imports) join(from)
    const needed = imports.filter(({ names }) => names !== undefined)
    const parameters = needed.map(({ names }) => names).join(', ')
    const values = needed.map(({ from }) => constantOf(from)).join(', ')
    const lines = [...body, ...(exports.length === 0 ? [] : [`return { ${exports.join(', ')} }`])]
    joined.set(name, `const ${constantOf(name)} = ((${parameters}) => {\n${lines.join('\n')}\n})(${values})`)
  }
  join(entry)
  return ["'use strict'", ...joined.values(), ''].join('\n')
}

/** The constant of a module; names within a module hide it. */
export const constantOf = (module: string): string =>
  module.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())

interface Module {
  readonly imports: readonly { readonly names: string | undefined; readonly from: string }[]
  readonly body: readonly string[]
  readonly exports: readonly string[]
}

/** An import is a line, an export begins one; lines of comments stay here, since every browser would load them. */
function moduleOf(name: string): Module {
  const lines = readFileSync(new URL(`../assets/script/${name}.js`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.trimStart().startsWith('//'))
  const imports = lines.map((line) => IMPORT.exec(line)).filter((found) => found !== null)
  return {
    imports: imports.map(([, names, from = '']) => ({ names, from })),
    body: lines
      .filter((line) => !IMPORT.test(line))
      .map((line) => (EXPORT.test(line) ? line.slice('export '.length) : line)),
    exports: lines.flatMap((line) => EXPORT.exec(line)?.[1] ?? []),
  }
}

const IMPORT = /^import (?:(\{.*\}) from )?'\.\/([\w-]+)\.js'$/
const EXPORT = /^export (?:async )?(?:const|function) (\w+)/
