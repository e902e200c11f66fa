import { type CustomerChange, decideCustomerChange } from '../../model/customer/change.ts'
import { type Customer, customerFields, customerToJson } from '../../model/customer/customer.ts'
import { type CustomerOutcome, StoreUnavailable } from '../port/store.ts'
import { storedCustomer } from '../rows/stored.ts'
import { snakeCase } from '../sql/snake-case.ts'
import type { Row } from './connection.ts'
import type { Connections } from './connections.ts'
import { isDuplicate, isMissingReference, isRepeatable } from './faults.ts'

const fields = Object.keys(customerFields) as (keyof Customer)[]
/** Every field is a column, in the order in which a customer is written. */
export const customerColumns: readonly string[] = fields.map(snakeCase)
const columns = customerColumns

const MOST_TRIES = 12

/** Decides and writes a change of a customer; the write is guarded by the revision that was decided on. */
export function customerChanger(connections: Connections): (change: CustomerChange) => Promise<CustomerOutcome> {
  return async (change) => {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const outcome = await tryOnce(change)
      if (outcome !== undefined) return outcome
    }
    throw new StoreUnavailable('too many are changing this at once', 1)
  }

  /** Nothing when the customer has moved on since it was read, or a deal has come to name it. */
  async function tryOnce(change: CustomerChange): Promise<CustomerOutcome | undefined> {
    const found = change.kind === 'create' ? undefined : await read(change.id)
    const verdict = decideCustomerChange(change, {
      customer: found?.customer,
      previousAt: found?.previousAt,
      inUse: found?.inUse ?? false,
      now: new Date().toISOString(),
    })
    if ('refused' in verdict) return { kind: 'refused', refusal: verdict.refused }
    if ('keep' in verdict) return { kind: 'kept', customer: storedCustomer(verdict.keep) }
    if ('remove' in verdict) {
      const { remove } = verdict
      const removed = change.dryRun || (await isDone(DELETE, [remove.id, remove.revision]))
      return removed ? { kind: 'removed', customer: storedCustomer(remove) } : undefined
    }
    const { save } = verdict
    if (save.id === undefined) return create(save, change.dryRun)
    const customer: Customer = { ...save, id: save.id }
    const stored = storedCustomer(customer)
    const values = [...fields.map((field) => customer[field]), stored.json, customer.revision - 1]
    return change.dryRun || (await isDone(UPDATE, values)) ? { kind: 'saved', customer: stored } : undefined
  }

  async function read(id: number): Promise<Found | undefined> {
    const [row] = await connections.read(SELECT, [id])
    if (row === undefined) return undefined
    return {
      customer: readCustomer(row),
      inUse: row[fields.length] === true,
      previousAt: row[fields.length + 1] as string | null,
    }
  }

  async function isDone(statement: { readonly name: string; readonly text: string }, values: Row): Promise<boolean> {
    try {
      const rows = await connections.write(`customer ${values[0]}`, statement, values)
      return rows.length === 1
    } catch (cause) {
      if (isRepeatable(cause) || isMissingReference(cause)) return false
      throw cause
    }
  }

  /** The database assigns the id, and puts it into the document. */
  async function create(save: Omit<Customer, 'id'>, dryRun: boolean): Promise<CustomerOutcome | undefined> {
    if (dryRun) {
      const [row] = await connections.read(NEXT_ID, [])
      return { kind: 'saved', customer: storedCustomer({ ...save, id: Number(row?.[0]) }) }
    }
    const rest = customerToJson({ ...save, id: 0 }).slice('{"id":0'.length)
    try {
      const [row] = await connections.write(save.name, INSERT, [
        ...fields.slice(1).map((field) => save[field as 'name']),
        rest,
      ])
      return { kind: 'saved', customer: storedCustomer({ ...save, id: Number(row?.[0]) }) }
    } catch (cause) {
      // The id was taken by an import: the next one may be free.
      if (isDuplicate(cause) || isRepeatable(cause)) return undefined
      throw cause
    }
  }
}

interface Found {
  readonly customer: Customer
  readonly inUse: boolean
  readonly previousAt: string | null
}

export const readCustomer = (row: Row): Customer =>
  Object.fromEntries(fields.map((field, at) => [field, row[at]])) as unknown as Customer

/** A customer by its columns, with its document. */
export const customerRecord = (customer: Customer): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(fields.map((field, at) => [columns[at], customer[field]])),
  doc: customerToJson(customer),
})

const SELECT = {
  name: 'customer-facts',
  text: `SELECT ${columns.join(', ')}, EXISTS (SELECT 1 FROM deals WHERE customer_id = customers.id),
    previous_at FROM customers WHERE id = $1`,
}

const UPDATE = {
  name: 'update-customer',
  text: `UPDATE customers SET previous_at = updated_at, ${[...columns, 'doc']
    .map((column, at) => `${column} = $${at + 1}`)
    .slice(1)
    .join(', ')} WHERE id = $1 AND revision = $${columns.length + 2} RETURNING id`,
}

const DELETE = { name: 'delete-customer', text: 'DELETE FROM customers WHERE id = $1 AND revision = $2 RETURNING id' }

const INSERT = {
  name: 'insert-customer',
  text: `WITH new AS (SELECT nextval(pg_get_serial_sequence('customers', 'id')) AS id)
    INSERT INTO customers (${columns.join(', ')}, doc)
    SELECT id, ${columns
      .slice(1)
      .map((_, at) => `$${at + 1}`)
      .join(', ')}, '{"id":' || id || $${columns.length}::text FROM new RETURNING id`,
}

const NEXT_ID = {
  name: 'next-customer',
  text: 'SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END FROM customers_id_seq',
}
