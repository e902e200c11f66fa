import assert from 'node:assert/strict'
import type { PostgrestClient } from '@supabase/postgrest-js'
import type { ForeignClient, TriedService } from './foreign-client.ts'

type Tables = Pick<PostgrestClient, 'from' | 'rpc'>

interface OfClient {
  /** What is new has it in its name and reference, so that one client does not meet the things of another. */
  readonly prefix: string
  /** The reference of the deal that is held. */
  readonly held: string
}

/** What supabase-js offers is postgrest-js's, connected otherwise. */
export function postgrestTries(
  at: (service: TriedService) => Tables,
  { prefix, held }: OfClient,
): ForeignClient['tries'] {
  return {
    async read(service) {
      const { data } = await at(service).from('customers').select().eq('id', 1).single()
      assert.equal(data?.name, 'Customer 1')
    },
    async filter(service) {
      const rows = at(service).from('deals').select('name,price')
      const { data } = await rows.gte('price', 5000).like('name', 'Deal%').eq('stage', 'lead').order('price')
      assert.deepEqual(data?.[0], { name: 'Deal 5', price: 5000 })
    },
    async own(service) {
      const rows = at(service).from('deals').select('chosen:own->>choiceField,own->integerField')
      const { data } = await rows.eq('own->>choiceField', 'a').lt('own->integerField', 4).order('own->integerField')
      assert.deepEqual(data, [
        { chosen: 'a', integerField: 1 },
        { chosen: 'a', integerField: 3 },
      ])
    },
    async pages(service) {
      const { data, count } = await at(service)
        .from('customers')
        .select('id', { count: 'exact' })
        .order('id')
        .range(8, 15)
      assert.deepEqual([data?.length, data?.[0]?.id], [8, 9])
      assert.ok((count ?? 0) >= 20)
    },
    async related(service) {
      const { data } = await at(service)
        .from('customers')
        .select('name,deals!inner(name,price)')
        .gt('deals.price', 1500)
        .order('price', { referencedTable: 'deals', ascending: false })
        .limit(1, { referencedTable: 'deals' })
        .in('id', [1, 2])
      assert.deepEqual(data, [{ name: 'Customer 2', deals: [{ name: 'Deal 2', price: 2000 }] }])
    },
    async create(service) {
      const row = { name: `By ${prefix}`, price: 80, own: { needed: 'x' } }
      const { data } = await at(service).from('deals').insert(row).select().single()
      assert.match(data?.id, /-/)
    },
    async change(service) {
      const { data } = await at(service).from('customers').update({ age: 54 }).eq('id', 2).select('age')
      assert.deepEqual(data, [{ age: 54 }])
    },
    async upsert(service) {
      const rows = ['First', 'Second'].map((name) => ({
        name,
        price: 5,
        reference: `${prefix}-1`,
        own: { needed: 'x' },
      }))
      for (const row of rows) {
        const { data } = await at(service).from('deals').upsert(row, { onConflict: 'reference' }).select('name')
        assert.deepEqual(data, [{ name: row.name }])
      }
    },
    async operation(service) {
      const { data: deal } = await at(service).from('deals').select('id').eq('reference', held).single()
      const { data } = await at(service).rpc('hold_deal', { id: deal?.id, reason: 'credit check' })
      assert.equal(data?.held, true)
    },
    async refusal(service) {
      const { data: deal } = await at(service).from('deals').select('id').eq('reference', 'D-4').single()
      const { error } = await at(service).rpc('unhold_deal', { id: deal?.id })
      assert.match(error?.message ?? '', /not on hold/)
    },
    async batch(service) {
      const rows = ['One', 'Two'].map((name) => ({ name, country: 'IT' }))
      const { data } = await at(service).from('customers').insert(rows).select('country')
      assert.equal(data?.length, 2)
    },
  }
}
