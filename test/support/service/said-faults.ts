import type { ShownFault } from './running-service.ts'

/** Faults without their codes and facts: where they are, and what is said of them. */
export const saidFaults = (faults: readonly ShownFault[]): readonly object[] =>
  faults.map(({ code: _code, with: _facts, ...said }) => said)
