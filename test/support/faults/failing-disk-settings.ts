import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface DiskFaults {
  /** The database may not grow beyond so many pages: SQLite then says what it says on a full disk. */
  readonly pages?: number
  /** What happens to the commits from now on, one after the other; those behind the last are left alone. */
  readonly commits?: readonly CommitFault[]
  /** What happens whenever the log is written back. */
  readonly checkpoints?: 'full' | 'broken'
  /** The process is killed right after the first statement with this text, or right before it. */
  readonly killAfter?: string
  readonly killBefore?: string
}

/** `defect` is no fault of the disk: what is thrown then is taken for a mistake in the job. */
export type CommitFault = 'fine' | 'defect' | 'full' | 'broken'

/** The environment of a service on a disk that fails as the file `faults` says, in each of its threads. */
export const failingDisk = (faults: string) => ({
  FAULTS: faults,
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'failing-disk.ts'))}`,
})
