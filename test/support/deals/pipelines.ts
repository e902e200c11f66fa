import { type PipelineSource, SALES, type StageSource } from '../../../src/model/source/pipeline-source.ts'

const stage = (name: string, more: Partial<StageSource> = {}): StageSource => ({
  ...{ name, title: name, titles: {}, likelihood: 50, requires: [], staleAfter: null, closing: false },
  ...more,
})

/** A second pipeline, whose stages have another order than those of the first where they have the same names. */
export const RENEWALS: PipelineSource = {
  ...{ name: 'renewals', title: 'Renewals', titles: {}, position: 1, default: false },
  ...{ lostReasons: ['Too dear'], closing: false },
  stages: [
    stage('due', { likelihood: 60 }),
    stage('contract', { likelihood: 80 }),
    stage('proposal', { likelihood: 40, requires: ['owner', 'completionDate'] }),
  ],
}

export const pipelines: readonly PipelineSource[] = [SALES, RENEWALS]
