import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Language } from '../../languages/language.ts'
import { bySchema } from '../../model/by-schema.ts'
import { eventTypes } from '../../model/event-types.ts'
import type { Schema } from '../../model/schema.ts'
import { hasPart, type PagePart, type PartSet } from '../../representations/html/page-parts.ts'
import type { PageAssets } from '../../representations/html/writing-context.ts'
import { reason } from '../../values/faults/fault.ts'
import { memoize } from '../../values/memoize.ts'
import type { Answer, FixedContent } from '../contract/answer.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { wrongParameter } from '../contract/problems/problem.ts'
import { fixedContent } from '../negotiate/fixed-content.ts'

/** A file that pages load. Its address contains a hash of its content, so that browsers may cache it forever. */
interface Asset {
  readonly endpoint: Endpoint
  /** Relative to the base address. */
  readonly path: (language: Language, feature: Feature | undefined) => string
}

/** In the order of the cascade. */
const sheets = ['base', 'frame', 'top', 'state', 'facts', 'forms', 'told', 'script']
/** A file comes after those that it imports from. The first one brings the texts of all. */
const scripts = ['base', 'stream', 'live', 'send-form', 'menus', 'later', 'suggesting']

const sourceOf = (folder: string, names: readonly string[], suffix: string): string =>
  names
    .map((name) => readFileSync(new URL(`../../views/assets/${folder}/${name}.${suffix}`, import.meta.url), 'utf8'))
    .join('\n')

/** What only some pages load: those that have the part. */
interface Feature {
  readonly name: string
  readonly of?: PagePart
  /** Other pages load it once it is needed: all of them, or those that have this part. */
  readonly later?: PagePart | 'everywhere'
  readonly sheets: readonly string[]
  readonly scripts: readonly string[]
}

const features: readonly Feature[] = [
  {
    name: 'suggest',
    of: 'suggest',
    later: 'everywhere',
    sheets: ['combobox'],
    scripts: ['combobox', 'picker', 'find'],
  },
  { name: 'keys', later: 'everywhere', sheets: [], scripts: ['keys'] },
  { name: 'tables', of: 'table', sheets: ['tables'], scripts: [] },
  { name: 'asking', later: 'board', sheets: [], scripts: ['dialog', 'card-changes'] },
  { name: 'list', of: 'list', sheets: ['list'], scripts: ['list'] },
  { name: 'cells', of: 'cells', sheets: [], scripts: ['cells'] },
  { name: 'cell', later: 'cells', sheets: [], scripts: ['change-cell'] },
  { name: 'search', of: 'search', sheets: ['search'], scripts: [] },
  { name: 'board', of: 'board', sheets: ['board'], scripts: ['board'] },
  { name: 'requests', of: 'requests', sheets: ['every-form'], scripts: ['every-form'] },
  { name: 'deal', of: 'deal', sheets: ['offers', 'timeline'], scripts: [] },
  { name: 'confirm', of: 'confirm', sheets: [], scripts: ['confirm'] },
  { name: 'folded', of: 'folded', sheets: ['folded'], scripts: [] },
  { name: 'tasks', of: 'tasks', sheets: ['tasks'], scripts: [] },
  { name: 'figures', of: 'figures', sheets: ['today', 'reports'], scripts: [] },
  { name: 'import', of: 'import', sheets: ['import'], scripts: [] },
]

/** One script of several files, without the imports and exports between them. */
const js = (names: readonly string[], schema: Schema): string =>
  sourceOf('script', names, 'js')
    .replace(/^import .*$|^export (?=\w)/gm, '')
    .replace('EVENT TYPES', eventTypes(schema).join(' '))

/** The first script brings the texts that all of them say. */
function firstScriptIn({ texts }: Language, schema: Schema): string {
  const whole = js([...scripts, ...features.flatMap((feature) => feature.scripts)], schema)
  const said = [...whole.matchAll(/\bsay\(\s*'((?:[^'\\]|\\.)*)'/g)].map(([, text = '']) => text.replaceAll("\\'", "'"))
  const known = said.flatMap((text) => (texts.has(text) ? [[text, texts.get(text)]] : []))
  return js(scripts, schema).replace("'SCRIPT TEXTS'", () => JSON.stringify(Object.fromEntries(known)))
}

const styleSheet = assetAt('/style.css', 'text/css', 'public', 'How pages look', (_language, feature) =>
  sourceOf('style', feature?.sheets ?? sheets, 'css'),
)
const scriptIn = bySchema((schema: Schema) =>
  assetAt('/app.js', 'text/javascript', 'reader', 'What pages do of themselves', (language, feature) =>
    feature === undefined ? firstScriptIn(language, schema) : js(feature.scripts, schema),
  ),
)

export const assetEndpoints = (schema: Schema): readonly Endpoint[] => [styleSheet.endpoint, scriptIn(schema).endpoint]

/** The addresses of what a page with these parts loads. Pages of one kind load the same. */
export const assetsFor = (schema: Schema, base: string, parts: PartSet, language: Language): PageAssets =>
  assetsIn(schema)(`${base} ${parts} ${language.tag}`, base, parts, language)

const assetsIn = bySchema((schema: Schema) =>
  memoize((_key, ...page: [base: string, parts: PartSet, language: Language]) => assetsOf(schema, ...page)),
)

function assetsOf(schema: Schema, base: string, parts: PartSet, language: Language): PageAssets {
  const has = (part: Feature['later']): boolean => part === 'everywhere' || (part !== undefined && hasPart(parts, part))
  const style = (feature: Feature | undefined): string => base + styleSheet.path(language, feature)
  const scriptOf = (feature: Feature | undefined): string => base + scriptIn(schema).path(language, feature)
  const used = features.filter((feature) => has(feature.of))
  const later = features.filter((feature) => !used.includes(feature) && has(feature.later))
  return {
    styles: [undefined, ...used.filter(hasStyle)].map(style),
    scripts: [undefined, ...used.filter(hasScript)].map(scriptOf),
    later: Object.fromEntries([
      ...later.filter(hasStyle).map((feature) => [`${feature.name}-style`, style(feature)]),
      ...later.filter(hasScript).map((feature) => [`${feature.name}-script`, scriptOf(feature)]),
    ]),
  }
}

const hasStyle = ({ sheets }: Feature): boolean => sheets.length > 0
const hasScript = ({ scripts }: Feature): boolean => scripts.length > 0

function assetAt(
  path: string,
  type: string,
  role: Endpoint['role'],
  summary: string,
  write: (language: Language, feature: Feature | undefined) => string,
): Asset {
  const contentType = `${type}; charset=utf-8`
  const versions = memoize((_key, language: Language, feature: Feature | undefined): AssetVersion => {
    const content = write(language, feature)
    return { fixed: fixedContent(content), mark: createHash('sha256').update(content).digest('base64url').slice(0, 8) }
  })
  const versionIn = (language: Language, feature: Feature | undefined): AssetVersion =>
    versions(`${language.tag} ${feature?.name ?? ''}`, language, feature)
  const handle: Endpoint['handle'] = ({ parameters, reader: { language } }): Answer => {
    const name = parameters.get('of')
    const feature = features.find((each) => each.name === name)
    if (name !== undefined && feature === undefined) return noSuchPart
    const { fixed, mark } = versionIn(language, feature)
    const caching = parameters.get('v') === mark ? 'public, max-age=31536000, immutable' : 'no-cache'
    return { fixed, contentType, headers: { 'cache-control': caching } }
  }
  return {
    endpoint: {
      method: 'GET',
      ...(role === 'public' && { inSetUp: true }),
      // Whoever got a page gets what belongs to it.
      always: true,
      path,
      role,
      summary,
      offers: 'content',
      pagesOnly: true,
      types: [type, ...(type === 'text/javascript' ? ['application/javascript'] : [])],
      parameters: ['of', 'v'],
      handle,
    },
    path: (language, feature) =>
      `${path}?${feature === undefined ? '' : `of=${feature.name}&`}v=${versionIn(language, feature).mark}`,
  }
}

interface AssetVersion {
  readonly fixed: FixedContent
  readonly mark: string
}

const noSuchPart: Answer = {
  problem: wrongParameter('of', reason('not-one-of', { values: features.map(({ name }) => name) })),
}
