import { bodyBounds, fileBounds, sheetBounds } from '../../../src/values/bounds.ts'
import { spreadsheet } from '../../support/inputs/spreadsheet.ts'
import { type Hostile, type Multiplier, post, times } from './multiplier.ts'

// Files to import. The settings of the address let an import begin with what is wrong in it.

const { line, record, columns, heading, unique } = fileBounds
const { tag, cells, styles, format, parts, rows: mostRows } = sheetBounds

const IMPORTS = '/imports?on=deal'
const csv = (content: string | Buffer, path = IMPORTS): Hostile => post(path, content, 'text/csv')
const xlsx = (made: Parameters<typeof spreadsheet>[1]): Hostile =>
  post(IMPORTS, spreadsheet([], made), 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
const sheet = (...rows: readonly string[]): string => `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`
const row = (content: string): string => `<row>${content}</row>`
const said = (text: string): string => `<c t="str"><v>${text}</v></c>`
const shared = (length: number): string => `<sst><si><t>${'x'.repeat(length)}</t></si></sst>`
const SHARED = '<c t="s"><v>0</v></c>'
const titles = row(`${said('name')}${said('price')}`)
const one = row(`${said('Roof')}<c><v>1</v></c>`)

/** What ended a service or stopped it for everybody, as it was. */
export const known: readonly Multiplier[] = [
  {
    name: 'F1: rows of 300 cells that share a text of 60,000 characters',
    bound: 2000,
    far: 2000,
    of: (n) =>
      xlsx({
        sharedXml: shared(60_000),
        sheetXml: sheet(row(times(300, (at) => said(`h${at}`))), row(SHARED.repeat(300)).repeat(n)),
      }),
  },
  {
    name: 'F2: rows of two cells that share a text of 1,000,000 characters',
    bound: 100_000,
    far: 100_000,
    of: (n) => xlsx({ sharedXml: shared(1_000_000), sheetXml: sheet(titles, row(SHARED.repeat(2)).repeat(n)) }),
  },
  {
    name: 'F3: headings that share a text of 1,000,000 characters',
    bound: 300,
    far: 300,
    of: (n) => xlsx({ sharedXml: shared(1_000_000), sheetXml: sheet(row(SHARED.repeat(n)), one.repeat(5)) }),
  },
  {
    name: 'F4: rows with a cell in the last column',
    bound: 100_000,
    far: 100_000,
    of: (n) =>
      xlsx({
        sheetXml: sheet(
          titles,
          times(
            n,
            (at) => `<row r="${at + 2}"><c r="A${at + 2}" t="str"><v>a</v></c><c r="XFD${at + 2}"><v>1</v></c></row>`,
          ),
        ),
      }),
  },
]

const sheets: readonly Multiplier[] = [
  {
    name: 'a shared text in every cell',
    bound: record / 2,
    far: 1_000_000,
    of: (n) => xlsx({ sharedXml: shared(n), sheetXml: sheet(titles, row(SHARED.repeat(2)).repeat(300)) }),
  },
  {
    name: 'rows that share a text',
    bound: 300,
    far: mostRows,
    of: (n) => xlsx({ sharedXml: shared(200), sheetXml: sheet(titles, row(`${SHARED}${SHARED}`).repeat(n)) }),
  },
  {
    name: 'cells of a heading',
    bound: columns,
    far: cells + 1,
    of: (n) => xlsx({ sheetXml: sheet(row(times(n, (at) => said(`h${at}`))), one) }),
  },
  {
    name: 'cells of a row',
    bound: cells,
    far: 900_000,
    of: (n) => xlsx({ sheetXml: sheet(titles, row('<c/>'.repeat(n))) }),
  },
  {
    name: 'empty rows',
    bound: mostRows,
    far: 8_000_000,
    of: (n) => xlsx({ sheetXml: sheet(titles, '<row/>'.repeat(n)) }),
  },
  { name: 'rows', bound: 10_000, far: mostRows + 1, of: (n) => xlsx({ sheetXml: sheet(titles, one.repeat(n)) }) },
  {
    name: 'rows that are all wrong',
    bound: 1000,
    far: 300_000,
    of: (n) =>
      xlsx({
        sheetXml: sheet(titles, row(said('')).repeat(n / 2), row(`${said('a')}${said('no price')}`).repeat(n / 2)),
      }),
  },
  {
    name: 'a row far below',
    bound: mostRows,
    far: 1e15,
    of: (n) => xlsx({ sheetXml: sheet(titles, `<row r="${n}">${said('a')}</row>`) }),
  },
  {
    name: 'columns that are repeated',
    bound: 300,
    far: 300_000,
    of: (n) => xlsx({ sheetXml: sheet(titles, `<row>${'<c r="A2" t="str"><v>a</v></c>'.repeat(n)}</row>`) }),
  },
  {
    name: 'a text in a cell',
    bound: record,
    far: 30_000_000,
    of: (n) => xlsx({ sheetXml: sheet(titles, row(said('x'.repeat(n)))) }),
  },
  {
    name: 'escaped letters of a cell',
    bound: record,
    far: 4_000_000,
    of: (n) => xlsx({ sheetXml: sheet(titles, row(said('&#x41;'.repeat(n)))) }),
  },
  {
    name: 'letters written by number',
    bound: record,
    far: 4_000_000,
    of: (n) => xlsx({ sheetXml: sheet(titles, row(said('_x0041_'.repeat(n)))) }),
  },
  {
    name: 'open references',
    bound: 100,
    far: 8_000_000,
    of: (n) => xlsx({ sheetXml: sheet(titles, row(said('&'.repeat(n)))) }),
  },
  {
    name: 'runs of a text',
    bound: 100,
    far: 1_500_000,
    of: (n) => xlsx({ sheetXml: sheet(titles, row(`<c t="inlineStr"><is>${'<r><t>x</t></r>'.repeat(n)}</is></c>`)) }),
  },
  {
    name: 'digits of a number',
    bound: 17,
    far: 8_000_000,
    of: (n) => xlsx({ sheetXml: sheet(titles, row(`${said('a')}<c><v>${'9'.repeat(n)}</v></c>`)) }),
  },
  {
    name: 'an exponent of a number',
    bound: 308,
    far: 999_999_999,
    of: (n) => xlsx({ sheetXml: sheet(titles, row(`${said('a')}<c><v>1e${n}</v></c>`).repeat(1000)) }),
  },
  {
    name: 'a day far away',
    bound: 2_958_465,
    far: 1e15,
    of: (n) => xlsx({ sheetXml: sheet(titles, row(`<c s="1"><v>${n}</v></c><c s="1"><v>${n}</v></c>`).repeat(1000)) }),
  },
  {
    name: 'shared texts',
    bound: sheetBounds.shared / sheetBounds.sharedEach,
    far: 4_000_000,
    of: (n) => xlsx({ sheetXml: sheet(titles, row(SHARED)), sharedXml: `<sst>${'<si><t>x</t></si>'.repeat(n)}</sst>` }),
  },
  {
    name: 'shared texts of nothing',
    bound: 100,
    far: 4_000_000,
    of: (n) => xlsx({ sheetXml: sheet(titles, row(SHARED)), sharedXml: `<sst>${'<si/>'.repeat(n)}</sst>` }),
  },
  {
    name: 'styles',
    bound: styles,
    far: 2_000_000,
    of: (n) =>
      xlsx({
        sheetXml: sheet(titles, one),
        stylesXml: `<styleSheet><cellXfs>${'<xf numFmtId="14"/>'.repeat(n)}</cellXfs></styleSheet>`,
      }),
  },
  {
    name: 'formats of numbers',
    bound: styles,
    far: 500_000,
    of: (n) =>
      xlsx({
        sheetXml: sheet(titles, one),
        stylesXml: `<styleSheet><numFmts>${times(n, (at) => `<numFmt numFmtId="${at}" formatCode="d"/>`)}</numFmts></styleSheet>`,
      }),
  },
  {
    name: 'the format of a number',
    bound: format,
    far: 900_000,
    of: (n) =>
      xlsx({
        sheetXml: sheet(titles, row('<c s="1"><v>1</v></c>'.repeat(2))),
        stylesXml: `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${'[a'.repeat(n / 2)}"/></numFmts><cellXfs><xf/><xf numFmtId="164"/></cellXfs></styleSheet>`,
      }),
  },
  {
    name: 'a tag',
    bound: tag,
    far: 30_000_000,
    of: (n) => xlsx({ sheetXml: sheet(titles, `<row x="${'x'.repeat(n)}">`) }),
  },
  {
    name: 'attributes of a tag',
    bound: 100,
    far: 150_000,
    of: (n) => xlsx({ sheetXml: sheet(titles, `<row ${times(n, (at) => `a${at}="1" `)}>${said('a')}</row>`) }),
  },
  {
    name: 'rows in which a merged cell goes on',
    bound: 200,
    far: 5000,
    of: (n) =>
      xlsx({
        sharedXml: shared(30_000),
        sheetXml: `<worksheet><sheetData>${titles}<row r="2">${SHARED}</row>${times(n, (at) => `<row r="${at + 3}"><c r="B${at + 3}"><v>1</v></c></row>`)}</sheetData><mergeCells><mergeCell ref="A2:A${n + 2}"/></mergeCells></worksheet>`,
      }),
  },
  { name: 'tags in tags', bound: 32, far: 4_000_000, of: (n) => xlsx({ sheetXml: `<worksheet>${'<a>'.repeat(n)}` }) },
  {
    name: 'comments',
    bound: 32,
    far: 2_000_000,
    of: (n) => xlsx({ sheetXml: sheet(titles, '<!---->'.repeat(n), one) }),
  },
  {
    name: 'entities that name entities',
    bound: 10,
    far: 1000,
    of: (n) =>
      xlsx({
        sheetXml: `<!DOCTYPE w [<!ENTITY e0 "x">${times(n, (at) => `<!ENTITY e${at + 1} "&e${at};&e${at};">`)}]>${sheet(titles, row(said(`&e${n};`)))}`,
      }),
  },
  {
    name: 'merged cells',
    bound: 100,
    far: 2_000_000,
    of: (n) =>
      xlsx({
        sheetXml: sheet(titles, one).replace('</worksheet>', `${'<mergeCell ref="A1:B9"/>'.repeat(n)}</worksheet>`),
      }),
  },
  { name: 'bytes behind an archive', bound: 65_535, far: 990_000, of: (n) => withBehind(n) },
  { name: 'entries of an archive', bound: parts, far: 60_000, of: (n) => withEntries(n) },
]

function withBehind(count: number): Hostile {
  const whole = xlsx({ sheetXml: sheet(titles, one) })
  return { ...whole, content: Buffer.concat([whole.content as Buffer, Buffer.alloc(count, 'P')]) }
}

/** The directory names one entry so many times. */
function withEntries(count: number): Hostile {
  const whole = xlsx({ sheetXml: sheet(titles, one) })
  const content = whole.content as Buffer
  const end = content.lastIndexOf('PK\u0005\u0006')
  const start = content.readUInt32LE(end + 16)
  const first = content.subarray(start, content.indexOf('PK\u0001\u0002', start + 4))
  const directory = Buffer.concat([content.subarray(start, end), ...Array<Buffer>(count).fill(first)])
  const tail = Buffer.from(content.subarray(end))
  tail.writeUInt16LE(Math.min(0xffff, count + 7), 8)
  tail.writeUInt16LE(Math.min(0xffff, count + 7), 10)
  tail.writeUInt32LE(directory.length, 12)
  return { ...whole, content: Buffer.concat([content.subarray(0, start), directory, tail]) }
}

const lines = (count: number, each: string | ((n: number) => string), first = 'name,price'): string =>
  `${first}\n${times(count, each)}`

const texts: readonly Multiplier[] = [
  { name: 'rows of a text', bound: 10_000, far: 140_000, of: (n) => csv(lines(n, (at) => `n${at},1\n`)) },
  { name: 'wrong rows', bound: 1000, far: 330_000, of: (n) => csv(lines(n, 'n,\n')) },
  { name: 'rows with too much', bound: 1000, far: 240_000, of: (n) => csv(lines(n, ',,,\n')) },
  { name: 'blank lines', bound: 1000, far: 1_000_000, of: (n) => csv(`${lines(1, '\n'.repeat(n))}a,1\n`) },
  { name: 'line ends of old programs', bound: 1000, far: 400_000, of: (n) => csv(`name,price\r${'a\r'.repeat(n)}`) },
  { name: 'a long row', bound: record, far: 990_000, of: (n) => csv(lines(20, `${'x'.repeat(n / 20)},1\n`)) },
  { name: 'one long row', bound: record, far: 990_000, of: (n) => csv(lines(1, `${'x'.repeat(n)},1\n`)) },
  { name: 'a line', bound: line, far: line + 1, of: (n) => csv('x'.repeat(n)) },
  {
    name: 'columns of a text',
    bound: columns,
    far: 140_000,
    of: (n) =>
      csv(
        lines(
          3,
          `${'1,'.repeat(n)}\n`,
          times(n, (at) => `h${at}`, ','),
        ),
      ),
  },
  { name: 'headings of nothing', bound: columns, far: 990_000, of: (n) => csv(lines(1, 'a\n', ','.repeat(n))) },
  { name: 'the same heading', bound: columns, far: 190_000, of: (n) => csv(lines(3, 'a,1\n', times(n, 'name', ','))) },
  { name: 'a heading', bound: heading, far: 990_000, of: (n) => csv(lines(3, 'a,1\n', `name,price,${'h'.repeat(n)}`)) },
  {
    name: 'long headings',
    bound: heading,
    far: 3000,
    of: (n) =>
      csv(
        lines(
          3,
          'a,1\n',
          times(columns, (at) => `${at}${'owner '.repeat(n / 6)}`, ','),
        ),
      ),
  },
  { name: 'an open quote', bound: record, far: 990_000, of: (n) => csv(lines(1, `"${'x\n'.repeat(n / 2)}`)) },
  { name: 'open quotes', bound: 100, far: 330_000, of: (n) => csv(lines(n, 'a"\n')) },
  { name: 'quotes', bound: record, far: 990_000, of: (n) => csv(lines(1, `${'"'.repeat(n)},1\n`)) },
  { name: 'quotes in every row', bound: 1000, far: 60_000, of: (n) => csv(lines(n, '"a""b\n""c",1\n')) },
  { name: 'digits of a cell', bound: 15, far: 60_000, of: (n) => csv(lines(16, `a,${'9'.repeat(n)}\n`)) },
  {
    name: 'separators of a number',
    bound: 15,
    far: 60_000,
    of: (n) => csv(lines(16, `a,"${'1.000,'.repeat(n / 6)}"\n`)),
  },
  { name: 'an exponent of a cell', bound: 300, far: 999_999_999, of: (n) => csv(lines(1000, `a,1e${n}\n`)) },
  { name: 'minus signs of a cell', bound: 10, far: 60_000, of: (n) => csv(lines(16, `a,${'-('.repeat(n / 2)}\n`)) },
  {
    name: 'a day in a cell',
    bound: 10,
    far: 60_000,
    of: (n) => csv(lines(16, `a,1,${'1/'.repeat(n / 2)}\n`, 'name,price,completionDate')),
  },
  { name: 'white space in a cell', bound: 200, far: 65_000, of: (n) => csv(lines(15, `a${' '.repeat(n)}b,1\n`)) },
  { name: 'letters that grow', bound: 200, far: 60_000, of: (n) => csv(lines(5, `${'ﷺ'.repeat(n)},1\n`)) },
  {
    name: 'names of customers',
    bound: fileBounds.names,
    far: 80_000,
    of: (n) => csv(lines(n, (at) => `a,1,c${at}\n`, 'name,price,customer')),
  },
  {
    name: 'names of customers to create',
    bound: 1000,
    far: 80_000,
    of: (n) =>
      csv(
        lines(n, (at) => `a,1,c${at}\n`, 'name,price,customer'),
        `${IMPORTS}&create=missing`,
      ),
  },
  { name: 'owners', bound: 1000, far: 100_000, of: (n) => csv(lines(n, (at) => `a,1,o${at}\n`, 'name,price,owner')) },
  {
    name: 'a reference that repeats',
    bound: unique,
    far: 100_000,
    of: (n) => csv(lines(n, 'a,1,R1\n', 'name,price,reference')),
  },
  {
    name: 'long references',
    bound: unique,
    far: 65_000,
    of: (n) => csv(lines(16, (at) => `a,1,${at}${'r'.repeat(n)}\n`, 'name,price,reference')),
  },
  {
    name: 'references',
    bound: 1000,
    far: 80_000,
    of: (n) => csv(lines(n, (at) => `a,1,R${at}\n`, 'name,price,reference')),
  },
  { name: 'stages', bound: 100, far: 100_000, of: (n) => csv(lines(n, (at) => `a,1,s${at}\n`, 'name,price,stage')) },
  {
    name: 'tags',
    bound: 100,
    far: 60_000,
    of: (n) => csv(lines(8, `a,1,"${'red; '.repeat(n / 5)}"\n`, 'name,price,tags')),
  },
  { name: 'zeros', bound: 100, far: 990_000, of: (n) => csv(`name,price\n${'\0'.repeat(n)}`) },
  {
    name: 'wide characters',
    bound: 1000,
    far: 70_000,
    of: (n) => csv(Buffer.from(`\ufeff${lines(n, 'a,1\n')}`, 'utf16le')),
  },
  {
    name: 'half a wide character',
    bound: 1000,
    far: 400_000,
    of: (n) => csv(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(2 * Math.floor(n) + 1, 0xd8)])),
  },
  {
    name: 'bytes that are no text',
    bound: 1000,
    far: 990_000,
    of: (n) => csv(Buffer.concat([Buffer.from('name,price\n'), Buffer.alloc(n, 0xff)])),
  },
  { name: 'formulas', bound: 1000, far: 100_000, of: (n) => csv(lines(n, `"=HYPERLINK(1)",1\n`)) },
  { name: 'separators in lines', bound: 1000, far: 300_000, of: (n) => csv(lines(n, (at) => ',;\t|'[at % 4] ?? '')) },
  {
    name: 'a dry run of customers',
    bound: 1000,
    far: 100_000,
    of: (n) =>
      csv(
        lines(n, (at) => `c${at}\n`, 'name'),
        '/imports?on=customer',
      ),
  },
  { name: 'lines of JSON', bound: 1000, far: 60_000, of: (n) => json(times(n, '{"name":"a","price":1}\n')) },
  {
    name: 'a line of JSON',
    bound: record,
    far: bodyBounds.bytes - 100,
    of: (n) => json(`{"name":"${'x'.repeat(n)}","price":1}\n`),
  },
]

const json = (content: string): Hostile => post('/imports?on=deal&name=a.ndjson', content, 'text/plain')

const within =
  (format: string) =>
  (each: Multiplier): Multiplier => ({ ...each, name: `${format}: ${each.name}` })

export const files: readonly Multiplier[] = [...sheets.map(within('XLSX')), ...texts.map(within('CSV'))]
