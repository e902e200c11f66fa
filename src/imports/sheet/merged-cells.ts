import { sheetBounds } from '../../values/bounds.ts'

/** The last row of each cell that is merged with those below it, by its row and column. */
export type MergedCells = ReadonlyMap<number, ReadonlyMap<number, number>>

/**
 * The cells of a sheet that are merged with those below them: a person reads the value in each of these rows. They are
 * listed behind the rows, so the sheet is searched for the list before it is read.
 */
export async function mergedDown(pieces: AsyncIterable<Buffer>): Promise<MergedCells> {
  let list = ''
  let end = Buffer.alloc(0) as Buffer
  for await (const piece of pieces) {
    const text = Buffer.concat([end, piece])
    if (list !== '') list += piece.toString('latin1')
    const at = list === '' ? text.indexOf('mergeCells ') : -1
    const bare = list === '' && at === -1 ? text.indexOf('mergeCells>') : at
    if (bare !== -1) list = text.toString('latin1', bare)
    if (list.length > sheetBounds.tag || list.includes('/mergeCells>') || list.includes(':mergeCells>')) break
    end = text.subarray(Math.max(0, text.length - 'mergeCells>'.length))
  }
  return cellsIn(list)
}

function cellsIn(list: string): MergedCells {
  const found = new Map<number, Map<number, number>>()
  for (const [, letters = '', first, , last] of list.matchAll(/\sref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"/g)) {
    const [from, to] = [Number(first), Number(last)]
    if (to <= from || found.size > sheetBounds.merged) continue
    const row = found.get(from) ?? new Map<number, number>()
    found.set(from, row.set(placeOf(letters), to))
  }
  return found
}

/** The place of a column such as `B`. */
export function placeOf(letters: string): number {
  let place = 0
  for (const letter of letters) place = place * 26 + letter.charCodeAt(0) - 64
  return place - 1
}
