import { collections } from '../collections.ts'
import { defineNamedQuery } from '../named-query.ts'

export const customersByChildren = defineNamedQuery({
  name: 'customers-by-children',
  title: 'Customers with so many children',
  collection: collections.customers,
  parameter: { name: 'children', of: 'children', example: 2 },
})
