import { randomUUID } from 'node:crypto'
import type { Intent } from '../../../src/model/intent/intent.ts'

type Asked = Partial<Omit<Intent, 'change' | 'command'>> & { readonly command?: string }

/** An intent as the forms make it: an operation under a name, on a deal or, for creation, on none. */
export function intentTo(action: string, deal: string | undefined, params: unknown = {}, asked: Asked = {}): Intent {
  return intent({ action, params }, deal, asked)
}

export function intentToUpdate(deal: string, attributes: unknown, asked: Asked = {}): Intent {
  return { ...intent({ attributes }, deal, asked), form: 'attribute-update' }
}

function intent(change: Intent['change'], deal: string | undefined, { command, ...asked }: Asked): Intent {
  return {
    resource: 'deal',
    ...(deal !== undefined && { target: deal }),
    change,
    pointers: { target: '/id', action: '', params: '' },
    faults: [],
    ...(command !== undefined && { command: { id: command, by: 'id' } }),
    guard: { required: false },
    actor: null,
    form: 'verb',
    dryRun: false,
    ...asked,
  }
}

export const newCommandId = (): string => `c-${randomUUID()}`
