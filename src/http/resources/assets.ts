import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Language } from '../../languages/language.ts'
import { eventTypes } from '../../model/event-types.ts'
import { memoize } from '../../values/memoize.ts'
import type { Answer } from '../answer.ts'
import type { Endpoint } from '../endpoint.ts'
import { type FixedContent, fixedContent } from '../respond/send/fixed-content.ts'

/** A file that pages load. Its address contains a hash of its content, so that browsers may cache it forever. */
interface Asset {
  readonly endpoint: Endpoint
  /** Relative to the base address. */
  readonly path: (language: Language) => string
}

/** In the order of the cascade. */
const sheets = [
  ...[
    'base',
    'frame',
    'top',
    'state',
    'tables',
    'list',
    'forms',
    'combobox',
    'offers',
    'timeline',
    'today',
    'tasks',
    'reports',
    'board',
    'told',
    'import',
    'every-form',
    'script',
  ],
]
/** A file comes after those that it imports from. */
const scripts = [
  'base',
  'live',
  'confirm',
  'send-form',
  'dialog',
  'board',
  'list',
  'every-form',
  'zones',
  'combobox',
  'picker',
  'menus',
  'find',
  'keys',
]

const sourceOf = (folder: string, names: readonly string[], suffix: string): string =>
  names
    .map((name) => readFileSync(new URL(`../../views/assets/${folder}/${name}.${suffix}`, import.meta.url), 'utf8'))
    .join('\n')

/** Strips comments and indentation; the formatter keeps the files in a layout for which that is safe. */
const css = memoize(() =>
  sourceOf('style', sheets, 'css')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\n\s*/g, '')
    .replace(/(?<=:) | (?=\{)|;(?=\})/g, ''),
)

/** One script of all files, so their imports and exports go too. */
const js = memoize(() =>
  sourceOf('script', scripts, 'js')
    .replace(/^import .*$|^export (?=\w)/gm, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\n\s+/g, '\n')
    .replace('EVENT TYPES', eventTypes.join(' ')),
)

function scriptIn({ texts }: Language): string {
  const source = js('')
  const said = [...source.matchAll(/\bsay\('((?:[^'\\]|\\.)*)'/g)].map(([, text = '']) => text.replaceAll("\\'", "'"))
  const known = said.flatMap((text) => (texts.has(text) ? [[text, texts.get(text)]] : []))
  return source.replace("'SCRIPT TEXTS'", () => JSON.stringify(Object.fromEntries(known)))
}

export const styleSheet = assetAt('/style.css', 'text/css', 'public', 'How pages look', () => css(''))
export const script = assetAt('/app.js', 'text/javascript', 'reader', 'What pages do of themselves', scriptIn)

function assetAt(
  path: string,
  type: string,
  role: Endpoint['role'],
  summary: string,
  write: (language: Language) => string,
): Asset {
  const contentType = `${type}; charset=utf-8`
  const versionIn = memoize((_tag, language: Language): { readonly fixed: FixedContent; readonly mark: string } => {
    const content = write(language)
    return { fixed: fixedContent(content), mark: createHash('sha256').update(content).digest('base64url').slice(0, 8) }
  })
  const handle: Endpoint['handle'] = ({ parameters, reader: { language } }): Answer => {
    const { fixed, mark } = versionIn(language.tag, language)
    const caching = parameters.get('v') === mark ? 'public, max-age=31536000, immutable' : 'no-cache'
    return { fixed, contentType, headers: { 'cache-control': caching } }
  }
  return {
    endpoint: {
      method: 'GET',
      ...(role === 'public' && { inSetUp: true }),
      path,
      role,
      summary,
      offers: 'content',
      pagesOnly: true,
      types: [type, ...(type === 'text/javascript' ? ['application/javascript'] : [])],
      parameters: ['v'],
      handle,
    },
    path: (language) => `${path}?v=${versionIn(language.tag, language).mark}`,
  }
}
