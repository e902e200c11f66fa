import { setFlagsFromString } from 'node:v8'

/** Limits V8's young generation, which would grow to 100 MB for short-lived data. */
export const keepNurserySmall = (): void => setFlagsFromString('--semi-space-growth-factor=1')
