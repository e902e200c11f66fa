// The bounds of what a sent byte may become, for everything that is read. Each reader checks its bounds where the byte
// becomes it, before it is joined, copied or kept. decisions/0065

/** Of a file to import, in every format. */
export const fileBounds = {
  /** Bytes; larger files are for the command line. */
  bytes: 50_000_000,
  /** Bytes of a line of text. */
  line: 1_048_576,
  /** Characters of a row, of its headings too, and so of each cell. An unclosed quote must not swallow the file. */
  record: 65_536,
  /** Each column is shown with its choices. A thing with all the added fields that it may have fits. */
  columns: 300,
  /** Characters of a heading by which its column is called. */
  heading: 500,
  /** Characters of a value that names one thing, which is remembered to find its repetitions. */
  unique: 500,
  /** Faults and lines of a group that an import lists. */
  listed: 50,
} as const

/** Of a spreadsheet, which is an archive of XML. */
export const sheetBounds = {
  /** Bytes of the directory of the archive. */
  directory: 4 * 2 ** 20,
  /** Bytes of an entry once it is unpacked: a small archive can hold any number. */
  entry: 512 * 2 ** 20,
  /** A larger entry with a higher ratio of unpacked to packed bytes holds nothing that people have typed. */
  dense: 16 * 2 ** 20,
  density: 100,
  /** Characters of a tag or text whose end is awaited. */
  tag: 2 ** 20,
  /** Characters of all texts that cells share, and more of each: they are in memory while rows are read. */
  shared: 64 * 2 ** 20,
  sharedEach: 64,
  /** Cells may share texts, so a row has more characters than the archive has bytes. The same ratio as of an entry. */
  rows: 1_048_576,
  /** Cells of a row, as spreadsheets have them. */
  cells: 16_384,
  /** Styles of cells, and formats of numbers. */
  styles: 65_536,
  /** Characters of the format of a number, as spreadsheets have them. */
  format: 255,
  /** Sheets and other parts of a workbook. */
  parts: 4096,
} as const
