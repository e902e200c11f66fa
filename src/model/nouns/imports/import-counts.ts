/** How many rows of an import created a thing, changed one, or changed nothing. */
export interface ImportCounts {
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
}

export const noRows: ImportCounts = { inserted: 0, updated: 0, unchanged: 0 }

export const addCounts = (a: ImportCounts, b: ImportCounts): ImportCounts => ({
  inserted: a.inserted + b.inserted,
  updated: a.updated + b.updated,
  unchanged: a.unchanged + b.unchanged,
})

export const rowsOf = ({ inserted, updated, unchanged }: ImportCounts): number => inserted + updated + unchanged

export const hasChanges = ({ inserted, updated }: ImportCounts): boolean => inserted + updated > 0
