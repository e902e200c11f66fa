import assert from 'node:assert/strict'
import { SERVICE } from '../../../src/store/port/desk.ts'
import { customers, type Way } from '../deals/ways.ts'
import { deal as dealResource } from '../schema.ts'
import type { Answered, Shown, TestService } from './running-service.ts'

export const DEALS = '/rest/v1/deals'

/** A deal in the state that the way leads to. */
export async function makeDeal({ request }: TestService, { steps }: Way): Promise<string> {
  let id = ''
  for (const { operation, params } of steps) {
    const body = operation.to === 'nothing' ? params : { id, ...params }
    const answer = await request('POST', `/command/${operation.words.action}`, { body })
    assert.equal(answer.status, 200, answer.text)
    id = relatedDeal(answer)
  }
  return id
}

/** The deal that an answer without a body points to. */
export function relatedDeal({ headers }: Answered): string {
  const [, id] = /^<\/rest\/v1\/deals\/([0-9a-f-]{36})>; rel="related"$/.exec(String(headers.link)) ?? []
  assert.ok(id, `a link to the deal, not ${headers.link}`)
  return id
}

export async function makeCustomers({ request }: TestService): Promise<void> {
  for (const id of customers) {
    const { body } = await request('POST', '/customers', { body: { name: `Customer ${id}` } })
    assert.equal(body.id, id)
  }
}

/** A plain open deal, as its creation showed it. */
export async function openDeal({ request }: TestService, members: object = {}): Promise<Shown> {
  const answer = await request('POST', `${DEALS}/`, {
    body: { name: 'Forty espresso machines', price: 51800, ...members },
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

/** The deal as the store has it, deleted or not. */
export async function storedDeal({ store }: TestService, id: string): Promise<Shown> {
  return JSON.parse((await store.as(SERVICE).find(dealResource, id))?.json ?? 'null')
}
