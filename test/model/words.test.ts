import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ways } from '../support/deals/ways.ts'
import { deal as dealResource } from '../support/schema.ts'

const { operations } = dealResource

// The contract's table of operations, word for word. A parameter with a question mark may be left out.
const contract = `
create | | | CreateDeal | name, price, currency?, customerId?, owner?, description?, pipeline?, stage?, completionDate?, reference? | created
delete | deleted | deletions | DeleteDeal | | deleted
restore | restored | restorations | RestoreDeal | | restored
hold | holded, held | holds | HoldDeal | reason | held
unhold | unholded | unholds | UnholdDeal | | unheld
complete | completed | completions | CompleteDeal | completedOn?, acceptedBy?, note? | completed
cancel | cancelled | cancellations | CancelDeal | amercement?, reason | cancelled
reopen | reopened | reopenings | ReopenDeal | reason | reopened
archive | archived | archivals | ArchiveDeal | | archived
unarchive | unarchived | unarchivals | UnarchiveDeal | | unarchived
change-price | price-changed | price-changes | ChangeDealPrice | newPrice, reason | price-changed
change-completion-date | completion-date-changed | completion-date-changes | ChangeDealCompletionDate | newDate, amercement?, whyChanged | completion-date-changed
rename | renamed | renamings | RenameDeal | newName | renamed
describe | described | descriptions | DescribeDeal | description | described
assign | assigned | assignments | AssignDeal | owner | assigned
change-customer | customer-changed | customer-changes | ChangeDealCustomer | customerId | customer-changed
move | moved | moves | MoveDeal | stage?, pipeline? | moved
add-note | note-added | notes | AddDealNote | text, kind?, happenedAt? | note-added
record-payment | payment-recorded | payments | RecordDealPayment | amount, reference? | payment-recorded
waive-amercement | amercement-waived | amercement-waivers | WaiveDealAmercement | amount?, reason | amercement-waived
set-fields | fields-set | field-settings | SetDealFields | reference? | fields-set`

test('the operations of the contract are there, in its words', () => {
  const declared = operations.map(({ name, words, params }) => {
    const members = Object.entries(params).map(([member, { required }]) => (required ? member : `${member}?`))
    const columns = [name, words.participles.join(', '), words.noun, words.action, members.join(', ')]
    return [...columns, words.event.replace(/^deal\./, '')].join(' | ')
  })
  const rows = contract.trim().split('\n').map(squeezed)
  assert.deepEqual(declared.map(squeezed).slice(0, rows.length), rows)
})

const squeezed = (line: string): string => line.replaceAll(/\s+/g, ' ')

test('the examples lead to every status and marking', () => {
  const kinds = new Set(
    ways.map(({ deal }) => `${deal.status}${deal.held ? ' held' : ''}${deal.archived ? ' archived' : ''}`),
  )
  const expected = ['open', 'open held', 'completed', 'completed archived', 'cancelled', 'cancelled archived']
  assert.deepEqual([...kinds].toSorted(), expected.toSorted())
})
