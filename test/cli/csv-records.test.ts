import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { textOf } from '../../src/imports/cells/cell.ts'
import { csvRecords } from '../../src/imports/read/csv-records.ts'
import { sourceOf } from '../../src/imports/read/source.ts'
import { csv, withoutFormulaMark } from '../../src/representations/csv.ts'
import { fc } from '../support/inputs/fast-check.ts'
import { context, pageOf } from '../support/inputs/sample-documents.ts'

interface Found {
  readonly cells: readonly string[]
  readonly line: number
}

/** Reads a text that comes in pieces, as the import does. */
function read(
  pieces: readonly string[],
  delimiter = ',',
): { readonly found: readonly Found[]; readonly rejected: readonly number[] } {
  const found: Found[] = []
  const rejected: number[] = []
  const records = csvRecords(
    {
      take: (cells, line) => void found.push({ cells: cells.map(textOf), line }),
      reject: (line) => void rejected.push(line),
    },
    delimiter,
  )
  let rest = ''
  for (const piece of pieces) {
    const text = rest + piece
    rest = text.slice(records.read(text, false))
  }
  if (rest !== '') records.read(rest, true)
  return { found, rejected }
}

const piecesOf = (text: string, cuts: readonly number[]): readonly string[] => {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length]
  return places.slice(1).map((end, index) => text.slice(places[index], end))
}

const cell = fc.string({ unit: fc.constantFrom('a', 'é', '陽', ' ', ',', '"', '\n', '\r\n', "'", ';'), maxLength: 6 })
const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 8 })
const cuts = fc.array(fc.nat(), { maxLength: 6 })

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
const needsQuotes = /[",;\t\r\n]/
const asPlain = (text: string): string => (needsQuotes.test(text) ? quoted(text) : text)

suite('CSV as it is read', () => {
  test('is what was written, with any delimiter and wherever it was cut into pieces', () => {
    fc.assert(
      fc.property(
        rows,
        cuts,
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom(quoted, asPlain),
        fc.constantFrom(',', ';', '\t'),
        (cells, places, end, write, delimiter) => {
          const text = cells.map((row) => row.map(write).join(delimiter) + end).join('')
          const kept = cells
            .filter((row) => row.map(write).join(delimiter) !== '')
            .map((row) => row.map(withoutFormulaMark))
          const { found, rejected } = read(piecesOf(text, places), delimiter)
          assert.deepEqual(
            found.map((each) => each.cells),
            kept,
          )
          assert.deepEqual(rejected, [])
        },
      ),
    )
  })

  test('is what a well-known parser reads', () => {
    fc.assert(
      fc.property(rows, cuts, (cells, places) => {
        const text = cells.map((row) => `${row.map(asPlain).join(',')}\n`).join('')
        const theirs = parse(text, { relax_column_count: true, skip_empty_lines: true, cast: withoutFormulaMark })
        assert.deepEqual(
          read(piecesOf(text, places)).found.map((each) => each.cells),
          theirs,
        )
      }),
    )
  })

  test('may have lines that end with CR alone, however few bytes come at a time', async () => {
    const content = Buffer.from('a,b\r"c\r\nd\ne","f\rg"\r\rh,é')
    for (let most = 1; most <= content.length; most++) {
      let at = 0
      const bytes = {
        read: async (into: Buffer, from: number) => {
          const copied = content.copy(into, from, at, at + most)
          at += copied
          return copied
        },
        close: async () => {},
      }
      const { found } = read(await Array.fromAsync(sourceOf('c.csv', undefined, bytes).texts()))
      assert.deepEqual(found, [
        { cells: ['a', 'b'], line: 1 },
        { cells: ['c\r\nd\ne', 'f\ng'], line: 2 },
        { cells: ['h', 'é'], line: 7 },
      ])
    }
  })

  test('counts the lines of the file, those inside of cells too', () => {
    const { found } = read(['a\n\n"b\r\nc\nd",x\r\n', '\ne'])
    assert.deepEqual(
      found.map(({ line }) => line),
      [1, 3, 7],
    )
  })

  test('a quote that is never closed costs its own line', () => {
    const { found, rejected } = read(['a\n"b\nc\n', 'd\n'.repeat(50_000), 'e'])
    assert.deepEqual(rejected, [2])
    assert.equal(found.length, 50_003)
  })

  test('what the service writes begins with a header that is read as it is', () => {
    const header = csv.write(pageOf([], { columns: ['id', 'name'] }), context)
    assert.deepEqual(read([header]).found, [{ cells: ['id', 'name'], line: 1 }])
  })
})
