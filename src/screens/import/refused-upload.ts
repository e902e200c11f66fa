import type { UnreadableBecause } from '../../imports/read/unreadable-file.ts'
import type { Reason } from '../../values/faults/fault.ts'

/** Why an upload was refused; `header` is the fault of its first row. */
export type RefusedUpload = UnreadableBecause | 'resource' | 'order' | 'size' | 'columns' | { readonly header: Reason }
