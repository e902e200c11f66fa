import { readFileSync } from 'node:fs'
import type { Answer, FixedContent } from '../../http/contract/answer.ts'
import type { Endpoint } from '../../http/contract/endpoint.ts'
import { fixedContent } from '../../http/negotiate/fixed-content.ts'
import type { Language } from '../../languages/language.ts'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { eventTypes } from '../../model/nouns/event-types.ts'
import { memoize } from '../../values/memoize.ts'
import { joinedScript } from './script.ts'
import { signPng } from './sign-png.ts'

/** In the order of the cascade. */
const sheets = [
  ...[
    '../tokens',
    'icons',
    'base',
    'shell',
    'state',
    'forms',
    'script',
    'lists',
    'board',
    'thing',
    'numbers',
    'import',
  ],
]
const isComment = (line: string): boolean => /^ *\/\*.*\*\/$/.test(line)

/** Without the lines that are comments: every browser would load them. */
const styleText = sheets
  .flatMap((name) => readFileSync(new URL(`../assets/style/${name}.css`, import.meta.url), 'utf8').split('\n'))
  .filter((line) => !isComment(line))
  .join('\n')

/** A file that all pages load. Its address has a hash of its content, so that browsers may cache it forever. */
interface Asset {
  readonly content: FixedContent
  readonly mark: string
}

const asset = (text: string): Asset => {
  const content = fixedContent(text)
  return { content, mark: content.tag(undefined).slice(1, 9) }
}

/** One style for every page. */
const style = asset(styleText)

/** One script for every page, with the texts that it says in a language. */
const scriptOf = bySchema((schema: Schema) =>
  memoize((_tag, { texts }: Language): Asset => {
    const said = [...joinedScript('page', {}).matchAll(/\bsay\(\s*'((?:[^'\\]|\\.)*)'/g)].map(([, text = '']) =>
      text.replaceAll("\\'", "'"),
    )
    const known = said.flatMap((text) => (texts.has(text) ? [[text, texts.get(text)]] : []))
    const provided = { texts: Object.fromEntries(known), eventTypes: eventTypes(schema) }
    return asset(joinedScript('page', { 'from-service': provided }))
  }),
)

const script = (schema: Schema, language: Language): Asset => scriptOf(schema)(language.tag, language)

/** The sign of the desk, and what a phone needs to put it on its home screen: its addresses are relative to its own. */
const sign = readFileSync(new URL('../assets/icon.svg', import.meta.url), 'utf8')
const icon = asset(sign)
const manifest = asset(readFileSync(new URL('../assets/manifest.json', import.meta.url), 'utf8'))

const signImage = signPng(512)

/** The same within the page, for callers who are not signed in. */
export const plainIcon = `data:image/svg+xml,${encodeURIComponent(sign)}`

/** Relative to the base address. */
export const iconPath = `/icon.svg?v=${icon.mark}`
export const touchIconPath = `/icon.png?v=${icon.mark}`
export const manifestPath = `/manifest.webmanifest?v=${manifest.mark}`
export const stylePath = `/style.css?v=${style.mark}`
export const scriptPath = (schema: Schema, language: Language): string => `/app.js?v=${script(schema, language).mark}`

export const assetEndpoints = (schema: Schema): readonly Endpoint[] => [
  {
    ...loaded,
    path: '/style.css',
    role: 'public',
    inSetUp: true,
    summary: 'How pages look',
    types: ['text/css'],
    handle: ({ parameters }) => answerWith(style, 'text/css', parameters.get('v')),
  },
  {
    ...loaded,
    path: '/icon.svg',
    role: 'reader',
    summary: 'The sign of the desk',
    types: ['image/svg+xml'],
    handle: ({ parameters }) => answerWith(icon, 'image/svg+xml', parameters.get('v')),
  },
  {
    ...loaded,
    path: '/icon.png',
    role: 'reader',
    summary: 'The sign of the desk for home screens',
    types: ['image/png'],
    handle: ({ parameters }) => ({
      lines: (async function* () {
        yield signImage
      })(),
      contentType: 'image/png',
      headers: keptIf(parameters.get('v') === icon.mark),
    }),
  },
  {
    ...loaded,
    path: '/manifest.webmanifest',
    role: 'reader',
    summary: 'How a phone keeps the desk on its home screen',
    types: ['application/manifest+json'],
    handle: ({ parameters }) => answerWith(manifest, 'application/manifest+json', parameters.get('v')),
  },
  {
    ...loaded,
    path: '/app.js',
    role: 'reader',
    summary: 'What pages do of themselves',
    types: ['text/javascript', 'application/javascript'],
    handle: ({ parameters, reader: { language } }) =>
      answerWith(script(schema, language), 'text/javascript', parameters.get('v')),
  },
]

const loaded = {
  method: 'GET',
  // A client that got a page also gets its assets.
  always: true,
  offers: 'content',
  forPeople: true,
  parameters: ['v'],
} as const

const answerWith = ({ content, mark }: Asset, type: string, version: string | undefined): Answer => ({
  fixed: content,
  contentType: `${type}; charset=utf-8`,
  headers: keptIf(version === mark),
})

/** An address with the mark of the content always leads to the same bytes. */
const keptIf = (isMarked: boolean) => ({
  'cache-control': isMarked ? 'public, max-age=31536000, immutable' : 'no-cache',
})
