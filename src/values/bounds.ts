// The bounds of what a sent byte may become, for everything that is read. A reader checks its bounds where the byte
// becomes it, before it is joined, copied or kept. The lengths of values are declared with their fields. decisions/0065

/** Of a request, apart from its body. */
export const requestBounds = {
  /** Bytes of the request line and all headers. */
  head: 16_384,
  /** Characters of its address. */
  address: 8192,
  /** Characters of a list of entity tags. */
  tags: 4096,
  /** Ranges of Accept-Language. */
  languages: 20,
  /** Characters of an Idempotency-Key for several commands, which add a dot and their index. */
  key: 112,
  /** Requests that wait on a connection: more than one read of 64 KiB holds. */
  pipelined: 2500,
} as const

/** Of a body that is read as a whole, and of a line of a stream. */
export const bodyBounds = {
  bytes: 1_048_576,
  /** Levels of JSON. */
  depth: 32,
  /** Values of JSON, lists and objects among them. Three bytes are one, which takes twenty times as much memory. */
  values: 100_000,
  /** Members of an object: more than any accepted one has. Further ones are counted, not read. */
  members: 1000,
} as const

/** Of forms, with and without files. */
export const formBounds = {
  /** Bytes of a form with a file: the largest file and as much as any other body. */
  bytes: 50_000_000 + 1_048_576,
  /** Fields: more than any form has, and each takes time to read. */
  fields: 2000,
  /** Bytes of a form that is kept while its sender signs in. */
  kept: 65_536,
  /** Parts of a form with a file. */
  parts: 20,
  /** Bytes of the headers of a part. */
  partHead: 8192,
  /** Characters of a field next to the file. */
  word: 64,
  /** Characters of the name of a file. */
  name: 200,
} as const

/** Of many requests in one. */
export const batchBounds = {
  /** Commands of a batch. A stream may have more, each of which may refer to the things of this many before it. */
  commands: 1000,
  /** Commands of a stream that are committed together. */
  together: 128,
  /** Requests of a batch of JSON-RPC. */
  requests: 1000,
} as const

/** Of what is read for one request, or for all requests of a batch. decisions/0024 */
export const answerBounds = {
  /** Items of a page. */
  page: 1000,
  /** Things shown of a relation to many. */
  related: 50,
  /** Lists of related things with a filter or an order of their own, each of which takes a statement. */
  lists: 50,
  /** Levels of related things in related things. */
  nested: 4,
  /** Related things that are read at a time. */
  relatedAtATime: 1000,
  /** Relations of a path that JSON:API includes, of which at most one is to many. */
  included: 3,
  /** Segments of a path of OData; each takes a read. */
  segments: 8,
  /** Things of a batch. */
  things: 10_000,
  /** Bytes of all answers of a batch. */
  answered: 16_000_000,
  /** Bytes that are read for one request: more than the largest page has. */
  read: 32 * 2 ** 20,
} as const

/** Of a problem, so that it stays small whatever was sent. */
export const problemBounds = {
  /** Faults of a body; further ones are only counted. */
  faults: 50,
  /** Faults of a query. */
  queryFaults: 20,
  /** Characters of a sentence. */
  detail: 999,
  /** Characters of a place. */
  place: 500,
} as const

/** Of a query: filters, searches, sorts and settings in every dialect. */
export const queryBounds = {
  /** Parameters, members and values of a query in a body: more than any accepted one has. */
  parts: 10_000,
  /** Terms, at any depth. */
  terms: 50,
  /** Levels of parentheses. */
  depth: 10,
  /** Values of all terms together, because each is a parameter of a statement. */
  values: 5000,
  /** Characters of a value in an expression: more than any field holds, with each escaped. */
  literal: 40_000,
  /** Code points of a search or a pattern with wildcards. */
  search: 200,
  /** Words of a search. */
  words: 10,
  /** Code points of a regular expression. */
  pattern: 200,
  /** Instructions of a regular expression: counts, such as the 999 in `.{999}`, multiply what they repeat. */
  instructions: 6000,
  /** Names by which is grouped and of what is measured. */
  groups: 20,
  /** Bytes of a text that a cursor holds. */
  cursorText: 300,
} as const

/** Of a document of GraphQL, whatever its variables are. decisions/0040 */
export const graphqlBounds = {
  characters: 100_000,
  tokens: 10_000,
  /** Operations and fragments. */
  definitions: 50,
  /** Fields, spreads and inline fragments. */
  selections: 1000,
  /** The same, with every fragment expanded wherever it is used. */
  spread: 20_000,
  /** Pairs of fields with one name in one selection: validation compares each. */
  pairs: 3000,
  directives: 50,
  depth: 12,
  /** The usual introspection is deeper than any query needs to be. */
  introspectionDepth: 20,
  /** Values of an answer, estimated before anything is read. */
  values: 250_000,
  errors: 20,
} as const

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
  /** Characters of the facts of a fault that is the example of its group. */
  example: 4000,
  /** Characters of wrong rows that are held at once. */
  wave: 1_048_576,
  /** Names of other things that are remembered, so that each is looked up once. */
  names: 20_000,
  /** Values that nobody knows and that are listed, and characters of each; an answer names no longer one. */
  values: 300,
  value: 200,
  /** Characters of all answers about the values of a file. */
  answers: 200_000,
  /** Characters of what an import keeps of what it found. */
  found: 1_000_000,
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
  /** Sheets that are looked at for a table, and merged cells that are filled. */
  looked: 20,
  merged: 10_000,
} as const
