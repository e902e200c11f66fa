import type { UnreadableBecause } from '../../imports/read/unreadable-file.ts'

/** Why an upload was refused. */
export type RefusedUpload = UnreadableBecause | 'resource' | 'size'
