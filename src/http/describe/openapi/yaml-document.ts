import { yamlOf } from '../../../representations/yaml.ts'
import { isObject } from '../../../values/json/is-object.ts'

/** The document as YAML, made in steps of one address or component: it is a text of a megabyte or two. */
export function* yamlSteps(json: string): Generator<undefined, string> {
  const lines: string[] = []
  yield* write(JSON.parse(json) as object, '', DEPTH, lines)
  return lines.join('')
}

/** Addresses are two levels below the whole, components three. */
const DEPTH = 2

/** No text of ours has a line break in YAML, so that what is deeper is the same with spaces before each line. */
function* write(value: object, indent: string, depth: number, lines: string[]): Generator<undefined, void> {
  for (const [name, each] of Object.entries(value)) {
    if (depth > 0 && isObject(each) && Object.keys(each).length > 0) {
      lines.push(`${indent}${written({ [name]: '' }).replace(/ ""\n$/, '\n')}`)
      yield* write(each, `${indent}  `, depth - 1, lines)
    } else
      lines.push(
        written({ [name]: each })
          .replaceAll(/^/gm, indent)
          .replace(/ +$/, ''),
      )
    yield
  }
}

const written = (value: object): string => yamlOf(JSON.stringify(value))
