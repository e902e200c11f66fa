import type { ImportProgress } from '../../store/port/maintenance.ts'
import type { Opening } from '../../store/port/opening.ts'
import type { Gathering, Rejection } from '../read/read-batches.ts'
import type { RowLayout } from '../read/row-reader.ts'

/** How files of one resource are imported: what their rows look like, and who writes them. */
export interface Importing<B> {
  /** The plural of what is imported. */
  readonly things: string
  readonly layout: RowLayout
  readonly gathering: Omit<Gathering<B>, 'reject'>
  rowsIn(batch: B): number
  /** Opens the database, which is created where there is none. */
  open(): Promise<ImportTarget<B>>
}

export interface ImportTarget<B> {
  readonly opening: Opening
  /** `expected` is the approximate number of rows, if it is known. */
  write(
    batches: AsyncIterable<B>,
    expected: number | undefined,
    onReject: (rejection: Rejection) => void,
  ): AsyncIterable<ImportProgress>
  close(): Promise<void>
}
