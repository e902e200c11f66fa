import type { Key } from '../../../model/declaration/resource.ts'

/** Another writer was faster, or a thing is another one than was expected: the batch must be decided again. */
export class BatchOutdated extends Error {
  override readonly name = 'BatchOutdated'
  /** The thing that an intent turned out to be about. */
  readonly found: FoundSubject | undefined
  constructor(found?: FoundSubject) {
    super('a batch was decided by facts that no longer hold')
    this.found = found
  }
}

interface FoundSubject {
  /** The index of the intent. */
  readonly index: number
  /** Undefined for the one that it creates. */
  readonly subject: Key | undefined
}
