import { collections } from '../collections.ts'
import { defineNamedQuery } from '../named-query.ts'

export const customersByAge = defineNamedQuery({
  name: 'customers-by-age',
  title: 'Customers of an age',
  collection: collections.customers,
  parameter: { name: 'age', of: 'age', example: 30 },
})
