import { fileBounds, sheetBounds } from '../../values/bounds.ts'
import type { FileBytes } from '../file/file-bytes.ts'
import { UnreadableFile } from '../file/unreadable-file.ts'
import { type IsDay, isBuiltInDay, showsDay } from './cell-types.ts'
import { readXml, type XmlSink } from './xml-reader.ts'
import { type ZipEntries, zipEntries } from './zip-reader.ts'

/** The first sheet of a workbook, and what its cells refer to. */
export interface Workbook {
  readonly sheet: () => AsyncGenerator<Buffer>
  readonly shared: readonly string[]
  /** Whether each style of cells shows a day. */
  readonly days: readonly IsDay[]
  readonly is1904: boolean
}

/** Opens an XLSX file (ECMA-376). Throws `UnreadableFile`. */
export async function openWorkbook(file: FileBytes): Promise<Workbook> {
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
  const wanted = sheets.find(({ isHidden }) => !isHidden) ?? sheets[0]
  const sheet = entries.get(targets.find(({ id }) => id === wanted?.id)?.target ?? `${folder}worksheets/sheet1.xml`)
  if (sheet === undefined) throw new UnreadableFile(file.name, 'spreadsheet')
  const named = (type: string): string => targets.find((each) => each.type.endsWith(type))?.target ?? ''
  const shared = await sharedTexts(named('/sharedStrings'), file, read)
  return { sheet, shared, days: await daysIn(named('/styles'), file, read), is1904 }
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
  const sheets: { readonly id: string; readonly isHidden: boolean }[] = []
  let is1904 = false
  await read(name, {
    open(element, attribute) {
      if (element === 'workbookPr') is1904 = ['1', 'true'].includes(attribute('date1904') ?? '')
      if (element === 'sheet') {
        const state = attribute('state') ?? 'visible'
        // The attribute without a prefix would be another one.
        sheets.push({ id: attribute('id') ?? '', isHidden: state !== 'visible' })
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

async function daysIn(name: string, file: FileBytes, read: ReadEntry): Promise<readonly IsDay[]> {
  const codes = new Map<number, IsDay>()
  const days: IsDay[] = []
  const damaged = new UnreadableFile(file.name, 'damaged')
  let isCellStyle = false
  await read(name, {
    open(element, attribute) {
      if (element === 'numFmt') {
        const code = attribute('formatCode') ?? ''
        if (codes.size === sheetBounds.styles || code.length > sheetBounds.format) throw damaged
        codes.set(Number(attribute('numFmtId')), showsDay(code))
      }
      if (element === 'cellXfs') isCellStyle = true
      if (element !== 'xf' || !isCellStyle) return
      if (days.length === sheetBounds.styles) throw damaged
      const id = Number(attribute('numFmtId') ?? 0)
      days.push(codes.get(id) ?? isBuiltInDay(id))
    },
    close(element) {
      if (element === 'cellXfs') isCellStyle = false
      return undefined
    },
  })
  return days
}
