import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Language } from '../../languages/language.ts'
import { eventTypes } from '../../model/event-types.ts'
import type { PageAssets } from '../../representations/html/writing-context.ts'
import { memoize } from '../../values/memoize.ts'
import type { Answer } from '../answer.ts'
import type { Endpoint } from '../endpoint.ts'
import { parameterProblem } from '../respond/problems/problem.ts'
import { type FixedContent, fixedContent } from '../respond/send/fixed-content.ts'

/** A file that pages load. Its address contains a hash of its content, so that browsers may cache it forever. */
interface Asset {
  readonly endpoint: Endpoint
  /** Relative to the base address. */
  readonly path: (language: Language, feature: Feature | undefined) => string
}

/** In the order of the cascade. */
const sheets = ['base', 'frame', 'top', 'state', 'tables', 'forms', 'told', 'script']
/** A file comes after those that it imports from. The first one brings the texts of all. */
const scripts = ['base', 'live', 'send-form', 'menus', 'later', 'suggesting', 'keys']

const sourceOf = (folder: string, names: readonly string[], suffix: string): string =>
  names
    .map((name) => readFileSync(new URL(`../../views/assets/${folder}/${name}.${suffix}`, import.meta.url), 'utf8'))
    .join('\n')

/** What only some pages load: those whose markup has one of the marks. */
interface Feature {
  readonly name: string
  readonly marks: readonly string[]
  readonly sheets: readonly string[]
  readonly scripts: readonly string[]
  /** The marks of pages that load it once it is needed, unless they are among the others. */
  readonly later?: readonly string[]
}

const features: readonly Feature[] = [
  {
    name: 'suggest',
    marks: [' data-suggest="', ' class="field found"', ' class="panel new"'],
    later: [''],
    sheets: ['combobox'],
    scripts: ['combobox', 'picker', 'find'],
  },
  { name: 'asking', marks: [], later: [' id="board"'], sheets: [], scripts: ['dialog', 'card-changes'] },
  {
    name: 'list',
    marks: [' id="list"', ' class="tabs"', ' class="plain-list"', ' class="drop"'],
    sheets: ['list'],
    scripts: ['list'],
  },
  { name: 'search', marks: [' class="seek"', ' class="hits"'], sheets: ['search'], scripts: [] },
  { name: 'board', marks: [' id="board"'], sheets: ['board'], scripts: ['board'] },
  { name: 'requests', marks: ['<pre', ' class="every"'], sheets: ['every-form'], scripts: ['every-form'] },
  {
    name: 'deal',
    marks: [' class="timeline', '<q', ' class="op', ' class="withheld', ' class="ledger'],
    sheets: ['offers', 'timeline'],
    scripts: [],
  },
  { name: 'confirm', marks: [' data-confirm="'], sheets: [], scripts: ['confirm'] },
  { name: 'tasks', marks: [' class="tasks', ' class="quick', ' class="task-edit'], sheets: ['tasks'], scripts: [] },
  {
    name: 'figures',
    marks: [
      '<svg',
      ' class="figures',
      ' class="attention',
      ' class="report"',
      ' class="report-list',
      ' class="day"',
      ' class="files',
    ],
    sheets: ['today', 'reports'],
    scripts: [],
  },
  {
    name: 'import',
    marks: [
      ' type="file"',
      '<progress',
      ' class="matching',
      ' class="cells',
      ' class="counts',
      ' class="boxes',
      ' class="try',
    ],
    sheets: ['import'],
    scripts: [],
  },
]

/** Strips comments and what only people need; the formatter keeps the files in a layout for which that is safe. */
const css = (names: readonly string[]): string =>
  sourceOf('style', names, 'css')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/(?<=[{};,]|^)\s*\n\s*|\n\s*(?=\})/g, '')
    // What is left breaks a selector, whose parts need a space between them.
    .replace(/\n\s*/g, ' ')
    .replace(/(?<=[:,]) | (?=\{)|;(?=\})| (?=>)|(?<=>) |(?<![\w.])0(?=\.)/g, '')

/** One script of several files, so their imports and exports go too. Texts and patterns stay as they are. */
const js = (names: readonly string[]): string =>
  sourceOf('script', names, 'js')
    .replace(/^import .*$|^export (?=\w)/gm, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\n\s+/g, '\n')
    .replace(
      /('(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\/(?! )(?:[^/\\]|\\.)+\/)| ?(=>|[=!]==|&&|\|\||[=,:?{}()[\]<>*]) ?/g,
      unspaced,
    )
    .replace(/(?<=[{([,])\n|\n(?=[})\].?:])/g, '')
    .replace('EVENT TYPES', eventTypes.join(' '))

const unspaced = (_all: string, kept: string | undefined, sign: string): string => kept ?? sign

/** The first script brings the texts that all of them say. */
function firstScriptIn({ texts }: Language): string {
  const whole = js([...scripts, ...features.flatMap((feature) => feature.scripts)])
  const said = [...whole.matchAll(/\bsay\('((?:[^'\\]|\\.)*)'/g)].map(([, text = '']) => text.replaceAll("\\'", "'"))
  const known = said.flatMap((text) => (texts.has(text) ? [[text, texts.get(text)]] : []))
  return js(scripts).replace("'SCRIPT TEXTS'", () => JSON.stringify(Object.fromEntries(known)))
}

const styleSheet = assetAt('/style.css', 'text/css', 'public', 'How pages look', (_language, feature) =>
  css(feature?.sheets ?? sheets),
)
const script = assetAt('/app.js', 'text/javascript', 'reader', 'What pages do of themselves', (language, feature) =>
  feature === undefined ? firstScriptIn(language) : js(feature.scripts),
)

export const assetEndpoints: readonly Endpoint[] = [styleSheet.endpoint, script.endpoint]

/** The addresses of what a page loads, relative to the base. */
export function assetsFor(main: string, language: Language): PageAssets {
  const present = marksIn(main)
  const has = (mark: string): boolean => present.has(mark)
  const used = features.filter(({ marks }) => marks.some(has))
  const later = features.filter((feature) => !used.includes(feature) && feature.later?.some(has))
  return {
    styles: [undefined, ...used.filter(hasStyle)].map((feature) => styleSheet.path(language, feature)),
    scripts: [undefined, ...used.filter(hasScript)].map((feature) => script.path(language, feature)),
    later: Object.fromEntries([
      ...later.filter(hasStyle).map((feature) => [`${feature.name}-style`, styleSheet.path(language, feature)]),
      ...later.filter(hasScript).map((feature) => [`${feature.name}-script`, script.path(language, feature)]),
    ]),
  }
}

const CLASS = ' class="'
const allMarks = [...new Set(features.flatMap(({ marks, later = [] }) => [...marks, ...later]))]
const isOfClass = (mark: string): boolean => mark.startsWith(CLASS)
const classMarks = allMarks.filter(isOfClass)
const others = new RegExp(
  allMarks
    .filter((mark) => mark !== '' && !isOfClass(mark))
    .map(RegExp.escape)
    .join('|'),
  'g',
)

/** The marks of a class attribute, of which pages have few different ones. */
const marksOf = memoize((attribute) => classMarks.filter((mark) => attribute.startsWith(mark)))

/** In two passes: a search of the whole page for each of so many marks takes longer. Every page has the empty one. */
function marksIn(main: string): ReadonlySet<string> {
  const found = new Set([''])
  for (const [mark] of main.matchAll(others)) found.add(mark)
  for (let at = main.indexOf(CLASS); at !== -1; at = main.indexOf(CLASS, at)) {
    const end = main.indexOf('"', at + CLASS.length) + 1
    for (const mark of marksOf(main.slice(at, end))) found.add(mark)
    at = end
  }
  return found
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
  problem: parameterProblem([
    { parameter: 'of', detail: `must be one of ${features.map(({ name }) => name).join(', ')}` },
  ]),
}
