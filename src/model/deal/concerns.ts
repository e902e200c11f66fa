import type { OperationName } from './operations.ts'

/** What a person wants when choosing an operation. Pages and documents show the operations in this order. */
export const concerns = [
  { title: 'Progress', names: ['move', 'complete', 'hold', 'unhold', 'reopen', 'cancel'] },
  { title: 'Terms', names: ['change-price', 'change-completion-date', 'change-customer'] },
  { title: 'Notes and people', names: ['add-note', 'assign', 'rename', 'describe'] },
  { title: 'Money', names: ['record-payment', 'waive-amercement'] },
  { title: 'Archive and delete', names: ['archive', 'unarchive', 'delete', 'restore'] },
] as const satisfies readonly { readonly title: string; readonly names: readonly OperationName[] }[]

export type Concern = (typeof concerns)[number]['title']

/** Nothing for an operation that is in none yet. */
export const concernOf = (operation: string): Concern | undefined =>
  concerns.find(({ names }) => (names as readonly string[]).includes(operation))?.title
