import type { Upload } from '../../model/nouns/imports/upload.ts'
import { uniqueHeadings } from '../columns/headings.ts'
import type { Matching } from '../read/matching.ts'

/** How the file of an import is read; undefined while it is uploaded, and for the command line. */
export const matchingOf = ({ matching }: Pick<Upload, 'matching'>): Matching | undefined =>
  matching === null ? undefined : asColumns(JSON.parse(matching) as Matching | EarlierMatching)

/** The form in which an earlier release stored it. */
interface EarlierMatching extends Pick<Matching, 'encoding' | 'delimiter'> {
  readonly header: readonly string[]
  readonly columns: readonly (string | null)[]
}

function asColumns(stored: Matching | EarlierMatching): Matching {
  if (!('header' in stored)) return stored
  const { encoding, delimiter, header, columns } = stored
  const named = uniqueHeadings(header).map((heading, at) => ({ heading, field: columns[at] || null, reading: null }))
  return { format: 'csv', encoding, delimiter, headerAt: 1, columns: named }
}
