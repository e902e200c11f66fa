import { say } from '../../languages/say.ts'
import { operationsOnExisting, resourceNamed } from '../../model/resources.ts'
import type { Operation } from '../../model/schema.ts'
import { collectionsOf } from '../../queries/collections.ts'
import type { Filter } from '../../queries/query.ts'
import { equals } from '../../queries/term.ts'
import type { StoredCustomer } from '../../store/port/desk.ts'
import { mayDo } from '../../values/role.ts'
import { creationAddress, thingForm } from '../page-forms/operation-form.ts'
import { explained, type FormRefusal } from '../page-forms/refused-form.ts'
import { sentAgain } from '../page-forms/sent-again.ts'
import { ask } from '../parts/ask.ts'
import { fieldsBesideName, readCustomer, readDeal } from '../parts/shown.ts'
import type { View, Visit } from '../parts/visit.ts'
import { showTasks } from '../task-panel/read.ts'
import { type CustomerPage, customerPage } from './view.ts'

/** A customer with its deals. */
export async function showCustomer(stored: StoredCustomer, visit: Visit): Promise<View> {
  const page = await readCustomerPage(stored, visit)
  return () => customerPage(page)
}

async function readCustomerPage(stored: StoredCustomer, visit: Visit): Promise<CustomerPage> {
  const { addresses } = visit.service
  const { schema } = visit.desk
  const customer = resourceNamed(schema, 'customer')
  const dealResource = resourceNamed(schema, 'deal')
  const { deals } = collectionsOf(schema)
  const ofCustomer: Filter = [equals(deals, 'customerId', stored.id)]
  const now = new Date().toISOString()
  const [{ items, hasMore }, tasks] = await Promise.all([
    ask(visit.desk, deals, 'maxpagesize=20', ofCustomer),
    showTasks({ customerId: stored.id }, now, visit),
  ])
  const shown = JSON.parse(stored.json) as { readonly [field: string]: unknown }
  const formWhere = (isMeant: (operation: Operation) => boolean | undefined) =>
    operationsOnExisting(customer)
      .filter((operation) => isMeant(operation) && mayDo(visit, operation.role ?? customer.roles.writes))
      .map((operation) => thingForm(operation, stored, shown, addresses))[0]
  const edit = formWhere(({ differences }) => differences)
  const remove = formWhere(({ removes }) => removes)
  const creation = creationAddress(dealResource, visit, { customerId: stored.id, return: visit.path })
  return {
    customer: readCustomer(stored.json),
    fields: fieldsBesideName(customer),
    dealResource,
    deals: items.map(readDeal),
    hasMoreDeals: hasMore,
    ...(remove && { remove: { form: remove, confirm: addresses.confirmation(customer, stored.id, 'delete') } }),
    ...(edit && { edit: { ...edit, submit: say('Save') } }),
    ...(creation && { creation }),
    tasks,
    now,
    addresses,
  }
}

/** A refused form is shown again, with what was filled in and what is wrong with it. */
export async function showRefusedCustomer(
  refusal: FormRefusal,
  operation: Operation,
  fields: ReadonlyMap<string, string>,
  visit: Visit,
): Promise<View | undefined> {
  const customer = resourceNamed(visit.desk.schema, 'customer')
  const stored = await visit.desk.find<StoredCustomer>(customer, Number(visit.params.id))
  if (stored === undefined) return undefined
  const page = await readCustomerPage(stored, visit)
  const again = !operation.removes
  const refused = { ...explained(refusal, page.edit), again }
  const edit =
    again && page.edit ? await sentAgain(page.edit, fields, refusal, { resource: customer, stored }, visit) : undefined
  return () => customerPage({ ...page, ...(edit && { edit: { ...edit(), submit: say('Try again') } }), refused })
}
