import { pino } from 'pino'
import { addKey, addUser } from '../../src/access/as-operator.ts'
import { readSettings } from '../../src/config.ts'
import { extensible } from '../../src/model/nouns/field/field.ts'
import type { AddedField } from '../../src/model/source/added-field.ts'
import { type AddedKind, addedKinds } from '../../src/model/source/added-kinds.ts'
import { startService } from '../../src/service/start-service.ts'
import type { TriedService } from './foreign-client.ts'

/** A service with own fields of every kind, a required one, a second pipeline and some things. */
export async function runTriedService(database: string): Promise<Opened> {
  const settings = readSettings({ PORT: '0', DATABASE_URL: database, MAX_LOOP_DELAY: '60000' })
  const service = await startService(settings, pino({ level: 'error' }), (cause) => {
    throw cause
  })
  await addUser(service.store, { name: 'admin', role: 'admin', password: 'a password of the admin' })
  const made = await addKey(service.store, { name: 'clients', role: 'admin' })
  if ('fault' in made) throw new Error(made.fault.code)
  const headers = { authorization: `Bearer ${made.key}` }
  await addModel(service.url, headers)
  await addThings(service.url, headers)
  return { url: service.url, key: made.key, headers, close: () => service.close() }
}

type Opened = Omit<TriedService, 'folder'> & { close(): Promise<void> }

const nameOf = (kind: AddedKind): string => `${kind}Field`

async function addModel(url: string, headers: TriedService['headers']): Promise<void> {
  for (const on of extensible) {
    // Only deals have a currency.
    for (const kind of addedKinds.filter((each) => each !== 'amount' || on === 'deal')) {
      const field = { on, name: nameOf(kind), title: `The ${kind}`, kind, ...optionsOf(kind) }
      await post(`${url}/fields`, field, headers)
    }
  }
  const stages = [
    { name: 'viewing', title: 'Viewing' },
    { name: 'signing', title: 'Signing' },
  ]
  await post(`${url}/pipelines`, { name: 'rental', title: 'Rental', stages }, headers)
}

function optionsOf(kind: AddedKind): Pick<AddedField, 'options'> {
  if (kind === 'link') return { options: { to: 'customer' } }
  const values = ['a', 'b', 'c'].map((value) => ({ value, title: value.toUpperCase() }))
  return kind === 'choice' || kind === 'choices' ? { options: { values } } : {}
}

/** Customers 1 to 20, of whom the odd ones are from Germany, and a deal for each, then the field that is required. */
async function addThings(url: string, headers: TriedService['headers']): Promise<void> {
  for (let n = 1; n <= 20; n++) {
    const customer = { name: `Customer ${n}`, age: 20 + n, country: n % 2 === 1 ? 'DE' : 'FR' }
    const { id } = await post(`${url}/customers`, customer, headers)
    const own = {
      integerField: n,
      textField: `text ${n}`,
      choiceField: n % 2 === 1 ? 'a' : null,
      choicesField: ['a', 'b'],
    }
    const deal = { name: `Deal ${n}`, price: n * 1000, customerId: id, reference: `D-${n}`, own }
    await post(`${url}/rest/v1/deals/`, deal, headers)
  }
  const required = { on: 'deal', name: 'needed', title: 'Needed', kind: 'text', required: true }
  await post(`${url}/fields`, required, headers)
}

async function post(
  address: string,
  body: object,
  headers: TriedService['headers'],
): Promise<{ readonly id: unknown }> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as { readonly id: unknown }
}
