import { setFlagsFromString } from 'node:v8'

/** For work whose data lives for a moment: V8 would let its nursery grow to a hundred megabytes for that. */
export const keepNurserySmall = (): void => setFlagsFromString('--semi-space-growth-factor=1')
