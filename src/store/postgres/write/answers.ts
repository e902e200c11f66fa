import type { NotTried } from '../../../model/intent/batch.ts'
import type { Outcome } from '../../port/store.ts'
import type { BatchDecision } from '../../transactions/write/deciding.ts'
import { repeatOutcome } from '../../transactions/write/replays.ts'
import type { Connections } from '../connect/connections.ts'
import { untilReached } from '../connect/recovered.ts'
import { runWork } from '../schema/transaction.ts'
import { postgres } from '../sql/dialect.ts'

/**
 * Completes a decision that is committed: known commands are answered from their events. These are read independently:
 * one failed read must not hide committed results.
 */
export const answersTo = (
  { read: query }: Pick<Connections, 'read'>,
  { answers, events, schema }: BatchDecision,
): readonly (Outcome | NotTried | Promise<Outcome>)[] =>
  answers.map((answer) =>
    'replay' in answer
      ? untilReached(() => runWork({ query }, repeatOutcome(postgres, schema, answer.replay, events)))
      : answer,
  )
