import { collections } from '../collections.ts'
import { defineNamedQuery } from '../named-query.ts'

export const dealsByCustomer = defineNamedQuery({
  name: 'deals-by-customer',
  title: 'Deals of a customer',
  collection: collections.deals,
  parameter: { name: 'customerId', of: 'customerId', example: 1 },
})
