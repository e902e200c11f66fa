import { say } from '../../languages/say.ts'
import { joined, wordsFor } from '../../languages/text.ts'
import type { Pipeline } from '../../model/nouns/pipeline/pipeline.ts'
import { escapeHtml } from '../../representations/markup/markup.ts'
import { listScreen } from '../list/list-screen.ts'
import { mark } from '../parts/marks.ts'
import { titleOf } from '../stages/stages.ts'

export const pipelineList = listScreen<Pipeline>({
  columns: ['stages'],
  narrow: ['stages'],
  cells: {
    stages: ({ stages }, { reader }) => escapeHtml(wordsFor(joined(stages.map(titleOf), ' › '), reader)),
  },
  filters: [],
  about: () => say('The ways of deals from the first contact to the contract, each with its own stages.'),
  marks: async () => (pipeline) => {
    if (pipeline.closing) return mark('held', say('Closing'))
    return pipeline.default ? mark('open', say('Default')) : undefined
  },
})
