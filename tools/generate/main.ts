import { writeFileSync } from 'node:fs'
import { generatedFiles } from './generated-files.ts'

for (const { path, before, after } of generatedFiles()) if (after !== before) writeFileSync(path, after)
