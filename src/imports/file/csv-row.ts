/** A row of CSV. */
export const csvRow = (cells: readonly string[], delimiter: string): string =>
  `${cells.map((cell) => (cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)}\r\n`
