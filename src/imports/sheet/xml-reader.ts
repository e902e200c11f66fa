import { sheetBounds } from '../../values/bounds.ts'
import { memoize } from '../../values/memoize.ts'

/** Takes the parts of an XML document, in order. Names are without their prefix. */
export interface XmlSink {
  open?(name: string, attributes: (name: string) => string | undefined): void
  /** Whether the reader shall pause: what was read may have become much more. */
  close?(name: string): boolean | undefined
  text?(text: string): void
}

/**
 * Reads the XML that spreadsheets write: elements, attributes and text. A declaration of entities is an error, so that
 * nothing is expanded. Returns false if it is not well-formed.
 */
export async function* readXml(pieces: AsyncIterable<Buffer>, sink: XmlSink): AsyncGenerator<void, boolean> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of pieces) {
    const taken = yield* readPart(rest + decoder.decode(piece, { stream: true }), sink)
    if (taken === undefined || taken.length > sheetBounds.tag) return false
    rest = taken
    yield
  }
  return (yield* readPart(rest + decoder.decode(), sink))?.trim() === ''
}

/** Takes every whole part of a text, and returns the rest; undefined if it is not well-formed. */
function* readPart(text: string, sink: XmlSink): Generator<void, string | undefined> {
  let at = 0
  while (at < text.length) {
    if (text.charCodeAt(at) !== LESS) {
      const next = text.indexOf('<', at)
      // A reference may be cut off.
      if (next === -1) return text.slice(at)
      sink.text?.(decoded(text.slice(at, next)))
      at = next
    }
    const ending = endingOf(text, at)
    if (ending === undefined) return undefined
    const end = text.indexOf(ending, at)
    if (end === -1) return text.slice(at)
    if (ending === ']]>') sink.text?.(text.slice(at + CDATA.length, end))
    else if (ending === '>' && readTag(text.slice(at + 1, end), sink)) yield
    at = end + ending.length
  }
  return ''
}

const LESS = 60
const CDATA = '<![CDATA['

/** How the markup that begins here ends; undefined for a document type. */
function endingOf(text: string, at: number): string | undefined {
  if (text.startsWith('<!--', at)) return '-->'
  if (text.startsWith(CDATA, at)) return ']]>'
  if (text.startsWith('<?', at)) return '?>'
  const isCut = CDATA.startsWith(text.slice(at)) || '<!--'.startsWith(text.slice(at))
  return text.startsWith('<!', at) && !isCut ? undefined : '>'
}

function readTag(tag: string, sink: XmlSink): boolean | undefined {
  if (tag.startsWith('/')) return sink.close?.(localName(tag.slice(1).trim()))
  const isEmpty = tag.endsWith('/')
  const [, name = ''] = /^([^\s/]+)/.exec(tag) ?? []
  sink.open?.(localName(name), (wanted) => attributeIn(tag, wanted))
  return isEmpty ? sink.close?.(localName(name)) : undefined
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** A `>` in an attribute is never written by spreadsheets, though XML allows it. */
function attributeIn(tag: string, wanted: string): string | undefined {
  const [, , value] = attributeNamed(wanted).exec(tag) ?? []
  return value === undefined ? undefined : decoded(value)
}

const attributeNamed = memoize((name) => new RegExp(`\\s(?:[\\w.-]+:)?${name}\\s*=\\s*(["'])(.*?)\\1`, 's'))

const named: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decoded = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
        if (name !== undefined) return named[name] ?? whole
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole
      })
    : text
