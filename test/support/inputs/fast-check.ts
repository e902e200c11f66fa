import fc from 'fast-check'
import { seedOf } from './draw.ts'

// A failure tells its seed, and fast-check's own parameters take it again.
fc.configureGlobal({ seed: seedOf('CHECK_SEED') })

export { fc }
