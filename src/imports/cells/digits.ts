import { fault, type Reason } from '../../values/faults/fault.ts'

/**
 * A number that a spreadsheet shows shortened, such as `4,91715550001E+11`, with all its digits: a telephone number or a
 * reference. A fault if some are lost; the text itself if it is none.
 */
export function withDigits(text: string): { readonly value: string } | { readonly fault: Reason } {
  const [, first, decimals = '', power] = shortened.exec(text.trim()) ?? []
  if (first === undefined) return { value: text }
  return decimals.length === Number(power) ? { value: first + decimals } : fault('digits-lost')
}

/** Spreadsheets write two digits of the power, and only if it is large. */
const shortened = /^([1-9])(?:[.,](\d+))?E\+(\d\d)$/
