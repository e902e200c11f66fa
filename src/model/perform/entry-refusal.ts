/** Why a thing may not enter a stage. */
export type EntryRefusal = StageRequires | ClosingStage

/** The fields that a thing needs to enter a stage are empty. */
export interface StageRequires extends EnteredStage {
  readonly code: 'stage-requires'
  /** Named as in filters. */
  readonly fields: readonly string[]
}

/** The stage, or its pipeline, is being removed. */
export interface ClosingStage extends EnteredStage {
  readonly code: 'closing'
}

interface EnteredStage {
  readonly resource: string
  readonly id: string | number
  readonly pipeline: string
  readonly stage: string
}
