import type { Json } from '../../values/json/json.ts'
import type { AddedField } from '../source/added-field.ts'
import type { Intent } from './intent.ts'

/** Whether the index of a field has to be filled. */
export const isBuilding = ({ state, retiredAt = null }: AddedField): boolean =>
  state === 'building' && retiredAt === null

/**
 * The change of a field whose index is filled, by the service itself. If somebody has changed the field meanwhile, it is
 * refused: the index is then filled for what the field is by now.
 */
export function whenFilled({ id, revision = 0 }: AddedField, repeats: readonly Json[]): Intent {
  const isSound = repeats.length === 0
  return {
    resource: 'field',
    target: id,
    change: {
      action: 'ChangeField',
      params: isSound ? {} : { unique: false },
      assigned: isSound ? { state: 'ready' } : { state: 'failed', repeats },
    },
    pointers: { target: '', action: '', params: '' },
    faults: [],
    guard: { revisions: [revision], required: false },
    actor: null,
    form: 'index',
    dryRun: false,
  }
}
