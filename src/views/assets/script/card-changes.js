import { say, tell } from './base.js'
import { board, dealOf, send, titleOf } from './board.js'
import { ask } from './dialog.js'
import { refresh } from './live.js'

// A card is lost for a reason, and changed in place.

export async function loseCard(card) {
  const fields = await ask(card.querySelector('.lost').ariaLabel, [
    { name: 'reason', label: say('Reason'), required: true, maxLength: 1000 },
  ])
  if (fields === undefined) return card.querySelector('.lost').focus()
  await send(card, null, { action: `${dealOf(card)}/cancellations`, fields })
}

export async function changeCard(card) {
  const address = dealOf(card)
  const answer = await fetch(address, { headers: { accept: 'application/json' } })
  if (!answer.ok) throw new Error('the deal cannot be read')
  const before = await answer.json()
  const stages = [...board.querySelectorAll('.column')].map(({ dataset: { stage } }) => [stage, titleOf(stage)])
  // What is being typed stays until it is sent.
  board.removeAttribute('data-live')
  const answers = await ask(
    before.name,
    [
      {
        name: 'price',
        label: `${say('Price')}, ${before.currency}`,
        type: 'number',
        min: 0,
        step: 'any',
        required: true,
      },
      { name: 'completionDate', label: say('Completion date'), type: 'date' },
      { name: 'owner', label: say('Owner'), list: 'people', maxLength: 200 },
      { name: 'stage', label: say('Stage'), choices: stages },
    ].map((field) => ({ ...field, value: before[field.name] ?? '' })),
    card,
  )
  board.dataset.live = ''
  if (answers === undefined) return card.querySelector('.change')?.focus()
  const after = {
    ...answers,
    price: Number(answers.price),
    completionDate: answers.completionDate || null,
    owner: answers.owner || null,
  }
  const names = Object.keys(after).filter((name) => after[name] !== before[name])
  const those = (values) => Object.fromEntries(names.map((name) => [name, values[name]]))
  if (names.length > 0) await patch(address, answer.headers.get('etag'), those(after), those(before))
  document.getElementById(card.id)?.querySelector('.change')?.focus()
}

async function patch(address, tag, fields, former) {
  const headers = { 'content-type': 'application/json', accept: 'application/json', 'if-match': tag }
  const answer = await fetch(address, { method: 'PATCH', body: JSON.stringify(fields), headers })
  const deal = await answer.json()
  if (!answer.ok) tell(say('Not done: {why}', { why: deal.detail }))
  else if (former)
    tell(say('Changed: {deal}', { deal: deal.name }), () => patch(address, answer.headers.get('etag'), former))
  else tell(say('Undone.'))
  await refresh()
}
