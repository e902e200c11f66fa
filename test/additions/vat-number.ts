/** A column of customers: what stands in the declaration, and the migration that it needs on each store. */
export const vatNumber = {
  behind: '    phone: given(nullable(phone), null),\n',
  field: '    vatNumber: given(nullable(nameText({ min: 1, max: 30 })), null),\n',
}

const shown = `UPDATE customers SET doc = replace(doc, ',"createdAt":', ',"vatNumber":null,"createdAt":');`

export const vatNumberOnSqlite = `ALTER TABLE customers ADD COLUMN vat_number TEXT; ${shown}`

export const vatNumberOnPostgres = `ALTER TABLE customers ADD COLUMN vat_number text COLLATE "C"; ${shown}`
