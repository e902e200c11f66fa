import type { Client, Form } from '../../../src/client.ts'

/** Every operation once, in one form. What it left behind must not depend on the form, nor on where it ran. */
export async function tour(client: Client, form: Form): Promise<unknown> {
  const { deals } = client
  const by = { form }
  const { id } = await deals.create({ name: 'Forty espresso machines', price: 51800.95, stage: 'lead' }, by)
  const other = await deals.create({ name: 'Another', price: 1 }, by)
  await deals.hold(id, { reason: 'credit check' }, by)
  await deals.unhold(id, {}, by)
  await deals.changePrice(id, { newPrice: 49999.95, reason: 'volume discount' }, by)
  await deals.changeCompletionDate(id, { newDate: '2027-03-31', amercement: 120.5, whyChanged: 'parts are late' }, by)
  await deals.rename(id, { newName: 'Fifty espresso machines' }, by)
  await deals.describe(id, { description: 'Two groups each.' }, by)
  await deals.assign(id, { owner: 'Mila Sanz' }, by)
  await deals.changeCustomer(id, { customerId: 1 }, by)
  await deals.move(id, { stage: 'proposal' }, by)
  await deals.addNote(id, { text: 'Called.', happenedAt: '2026-10-01T08:00:00.000Z' }, by)
  await deals.recordPayment(id, { amount: 0.1 }, by)
  await deals.recordPayment(id, { amount: 0.2, reference: 'INV-1' }, by)
  await deals.waiveAmercement(id, { amount: 20, reason: 'goodwill' }, by)
  await deals.complete(id, { completedOn: '2026-10-30', acceptedBy: 'Jonas Weber' }, by)
  await deals.reopen(id, { reason: 'came back' }, by)
  await deals.cancel(id, { reason: 'withdrew' }, by)
  await deals.archive(id, {}, by)
  const refused = await deals.hold(id, { reason: 'too late' }, by).catch((problem) => problem)
  await deals.unarchive(id, {}, by)
  await deals.delete(id, {}, by)
  const gone = await deals.get(id).catch((problem) => problem)
  const deal = await deals.restore(id, {}, by)
  const steps: unknown[] = []
  for await (const { operation, params, revision } of deals.history(id)) steps.push({ operation, params, revision })
  await deals.delete(other.id, {}, by)
  return {
    deal: { ...deal, id: 0, createdAt: 0, updatedAt: 0, links: Object.keys(deal.links.operations) },
    steps,
    refused: [refused.name, refused.status, refused.code, refused.problem.allowed],
    gone: [gone.status, gone.code],
  }
}
