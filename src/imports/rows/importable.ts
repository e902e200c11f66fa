import { customer } from '../../model/customer/customer.ts'
import type { Resource } from '../../model/resource.ts'
import { resources } from '../../model/resources.ts'

/** What files can be imported into: customers, whom the others refer to, and whatever is imported row by row. */
export const importable: readonly Resource[] = [customer, ...resources.filter(({ importsRows }) => importsRows)]
