import { writtenAmount } from '../cells/amount-text.ts'
import { type Cell, isBlank } from '../cells/cell.ts'

/** Whether a row sums up the others, as reports end: a word such as `Summe`, and nothing else but numbers. */
export function isTotals(cells: readonly Cell[]): boolean {
  const first = cells.findIndex((cell) => !isBlank(cell))
  const word = cells[first]
  if (typeof word !== 'string' || !totals.test(word)) return false
  const others = cells.filter((cell, at) => at !== first && !isBlank(cell))
  return others.length > 0 && others.every((cell) => typeof cell !== 'string' || writtenAmount(cell) !== undefined)
}

const totals =
  /^\s*(?:(?:grand|sub)[ -]?totals?|totals?|sum|(?:gesamt|zwischen|end)?summe|gesamt|(?:sous-)?total(?: général)?|somme|suma|(?:sub)?total(?: general)?|importe total)\s*(?:\([^)]*\))?:?\s*$/i
