import { fileBounds, sheetBounds } from '../../values/bounds.ts'
import { onceFor } from '../../values/memoize.ts'
import type { FileBytes } from '../file/file-bytes.ts'
import { UnreadableFile } from '../file/unreadable-file.ts'
import { builtInStyle, type NumberStyle, styleOf } from './cell-types.ts'
import { type MergedCells, mergedDown } from './merged-cells.ts'
import { readXml, type XmlSink } from './xml-reader.ts'
import { type ZipEntries, zipEntries } from './zip-reader.ts'

/** A sheet of a workbook, and what its cells refer to. */
export interface Workbook {
  readonly sheet: () => AsyncGenerator<Buffer>
  /** The cells that are merged with those below them: the rows below, by the first row and the column. */
  readonly merged: MergedCells
  readonly shared: readonly string[]
  readonly styles: readonly NumberStyle[]
  readonly is1904: boolean
}

/** The names of the sheets, and of those that are not hidden. Throws `UnreadableFile`. */
export async function sheetNames(
  file: FileBytes,
): Promise<{ readonly all: readonly string[]; readonly visible: readonly string[] }> {
  const { sheets } = await openArchive(file)
  const visible = sheets.filter(({ isHidden }) => !isHidden)
  return { all: sheets.map(({ name }) => name), visible: visible.map(({ name }) => name) }
}

/**
 * Opens a sheet of an XLSX file (ECMA-376), the first visible one if none is named. What its sheets share is read once
 * for `whole`. Throws `UnreadableFile`.
 */
export async function openWorkbook(file: FileBytes, name?: string, whole: FileBytes = file): Promise<Workbook> {
  const { sheets, is1904, entries, read, targets, folder } = await openArchive(file)
  const named = name === undefined ? undefined : sheets.find((each) => each.name === name)
  const wanted = named ?? sheets.find(({ isHidden }) => !isHidden) ?? sheets[0]
  const sheet = entries.get(targets.find(({ id }) => id === wanted?.id)?.target ?? `${folder}worksheets/sheet1.xml`)
  if (sheet === undefined) throw new UnreadableFile(file.name, 'spreadsheet')
  const part = (type: string): string => targets.find((each) => each.type.endsWith(type))?.target ?? ''
  const known = sharedParts(whole)
  known.texts ??= sharedTexts(part('/sharedStrings'), file, read)
  const shared = await known.texts
  known.styles ??= stylesIn(part('/styles'), file, read)
  return { sheet, merged: await mergedDown(sheet()), shared, styles: await known.styles, is1904 }
}

/** Several sheets may be looked at, and one is read more than once. */
const sharedParts = onceFor(
  (_whole: FileBytes): { texts?: Promise<readonly string[]>; styles?: Promise<readonly NumberStyle[]> } => ({}),
)

async function openArchive(file: FileBytes) {
  const entries = await zipEntries(file)
  const read = (name: string, sink: XmlSink): Promise<void> => readAll(file, entries, name, sink)
  if (!entries.has('[Content_Types].xml')) throw new UnreadableFile(file.name, 'spreadsheet')
  const main = (await targetsIn('_rels/.rels', '', file.name, read)).find(({ type }) =>
    type.endsWith('/officeDocument'),
  )
  const path = main?.target ?? 'xl/workbook.xml'
  if (!entries.has(path)) throw new UnreadableFile(file.name, 'spreadsheet')
  const { sheets, is1904 } = await sheetsIn(path, file.name, read)
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const targets = await targetsIn(`${folder}_rels/${path.slice(folder.length)}.rels`, folder, file.name, read)
  return { sheets, is1904, entries, read, targets, folder }
}

type ReadEntry = (name: string, sink: XmlSink) => Promise<void>

/** Nothing happens if there is no such entry. */
async function readAll(file: FileBytes, entries: ZipEntries, name: string, sink: XmlSink): Promise<void> {
  const open = entries.get(name)
  if (open === undefined) return
  const reading = readXml(open(), sink)
  for (;;) {
    const { done, value } = await reading.next()
    if (!done) continue
    if (!value) throw new UnreadableFile(file.name, 'damaged')
    return
  }
}

interface RelatedPart {
  readonly id: string
  readonly type: string
  readonly target: string
}

async function targetsIn(name: string, folder: string, file: string, read: ReadEntry): Promise<readonly RelatedPart[]> {
  const found: RelatedPart[] = []
  await read(name, {
    open(element, attribute) {
      if (element !== 'Relationship') return
      const target = attribute('Target') ?? ''
      const path = target.startsWith('/') ? target.slice(1) : folder + target
      found.push({ id: attribute('Id') ?? '', type: attribute('Type') ?? '', target: path })
      if (found.length > sheetBounds.parts) throw new UnreadableFile(file, 'damaged')
    },
  })
  return found
}

async function sheetsIn(name: string, file: string, read: ReadEntry) {
  const sheets: { readonly id: string; readonly name: string; readonly isHidden: boolean }[] = []
  let is1904 = false
  await read(name, {
    open(element, attribute) {
      if (element === 'workbookPr') is1904 = ['1', 'true'].includes(attribute('date1904') ?? '')
      if (element === 'sheet') {
        const state = attribute('state') ?? 'visible'
        // The attribute without a prefix would be another one.
        const title = (attribute('name') ?? '').slice(0, sheetBounds.format)
        sheets.push({ id: attribute('id') ?? '', name: title, isHidden: state !== 'visible' })
        if (sheets.length > sheetBounds.parts) throw new UnreadableFile(file, 'damaged')
      }
    },
  })
  return { sheets, is1904 }
}

async function sharedTexts(name: string, file: FileBytes, read: ReadEntry): Promise<readonly string[]> {
  const found: string[] = []
  let length = 0
  const text = textGatherer((whole) => {
    length += whole.length + sheetBounds.sharedEach
    if (length > sheetBounds.shared) throw new UnreadableFile(file.name, 'too large')
    found.push(whole)
  }, 'si')
  await read(name, text)
  return found
}

/** Gathers the text of each element of a name; hints for the pronunciation are no text. */
function textGatherer(take: (text: string) => void, element: string): XmlSink {
  let parts = ''
  let isText = false
  let isHint = false
  return {
    open(name) {
      if (name === element) parts = ''
      if (name === 'rPh') isHint = true
      isText = name === 't' && !isHint
    },
    text(text) {
      if (isText) parts = joined(parts, text)
    },
    close(name) {
      isText = false
      if (name === 'rPh') isHint = false
      if (name === element) take(cellText(parts))
      return undefined
    },
  }
}

/** The text of a cell with a further part of it, until it is certainly too long. */
export const joined = (parts: string, text: string): string =>
  parts.length > ESCAPED * fileBounds.record ? parts : parts + text

/** The number of characters that may stand for one. */
const ESCAPED = '_x000D_'.length

/** The text of a cell as it is meant; one that is too long is cut one character later, so that it is too long still. */
export const cellText = (written: string): string => unescaped(written).slice(0, fileBounds.record + 1)

/** ECMA-376 §22.9.2.19: `_x000D_` stands for a character. */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

async function stylesIn(name: string, file: FileBytes, read: ReadEntry): Promise<readonly NumberStyle[]> {
  const codes = new Map<number, NumberStyle>()
  const styles: NumberStyle[] = []
  const damaged = new UnreadableFile(file.name, 'damaged')
  let isCellStyle = false
  await read(name, {
    open(element, attribute) {
      if (element === 'numFmt') {
        const code = attribute('formatCode') ?? ''
        if (codes.size === sheetBounds.styles || code.length > sheetBounds.format) throw damaged
        codes.set(Number(attribute('numFmtId')), styleOf(code))
      }
      if (element === 'cellXfs') isCellStyle = true
      if (element !== 'xf' || !isCellStyle) return
      if (styles.length === sheetBounds.styles) throw damaged
      const id = Number(attribute('numFmtId') ?? 0)
      styles.push(codes.get(id) ?? builtInStyle(id))
    },
    close(element) {
      if (element === 'cellXfs') isCellStyle = false
      return undefined
    },
  })
  return styles
}
