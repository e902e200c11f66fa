import { say, tell } from './base.js'
import { board, send } from './board.js'
import { ask } from './dialog.js'
import { refresh } from './live.js'
import { reasonIn } from './send-form.js'

// A card is lost for a reason, and changed in place.

const dealOf = (card) => card.querySelector('a').href
const titleOf = (stage) => document.querySelector(`#stage-${stage} a`)?.textContent ?? stage

const labels = {
  price: say('Price'),
  completionDate: say('Completion date'),
  owner: say('Owner'),
  stage: say('Stage'),
}

export async function loseCard(card) {
  const fields = await ask(card.querySelector('.lost').ariaLabel, [
    { name: 'reason', label: say('Reason'), required: true, maxLength: 1000 },
  ])
  if (fields === undefined) return card.querySelector('.lost').focus()
  await send(card, null, { action: `${dealOf(card)}/cancellations`, fields })
}

// `typed` is what was refused before: it is asked for again, on the state that is there now.
export async function changeCard(card, typed) {
  const address = dealOf(card)
  // What is being typed stays until it is sent.
  board.removeAttribute('data-live')
  const answer = await fetch(address, { headers: { accept: 'application/json' } })
  if (!answer.ok) throw new Error('the deal cannot be read')
  const before = await answer.json()
  const stages = [...board.querySelectorAll('.column')].map(({ dataset: { stage } }) => [stage, titleOf(stage)])
  const answers = await ask(
    before.name,
    [
      {
        name: 'price',
        label: `${labels.price}, ${before.currency}`,
        type: 'number',
        min: 0,
        step: 'any',
        required: true,
      },
      { name: 'completionDate', label: labels.completionDate, type: 'date' },
      { name: 'owner', label: labels.owner, list: 'people', maxLength: 200 },
      { name: 'stage', label: labels.stage, choices: stages },
    ].map((field) => ({ ...field, value: typed?.[field.name] ?? before[field.name] ?? '' })),
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
  const isDone = names.length === 0 || (await patch(address, answer.headers.get('etag'), those(after), those(before)))
  const again = document.getElementById(card.id)
  if (!isDone && again) return changeCard(again, those(answers))
  again?.querySelector('.change')?.focus()
}

// Answers whether it was done.
async function patch(address, tag, fields, former) {
  const answerAs = (accept) => {
    const headers = { 'content-type': 'application/json', accept, 'if-match': tag }
    return fetch(address, { method: 'PATCH', body: JSON.stringify(fields), headers })
  }
  const answer = await answerAs('application/json')
  if (answer.status === 401) {
    location.reload()
    return true
  }
  // A page tells in the reader's language why. What was refused is refused again; what failed in passing may be done.
  const page = answer.ok || answer.status > 428 ? answer : await answerAs('text/html')
  if (!answer.ok) tell(say('Not done: {why}', { why: reasonFor(await page.text()) }))
  else if (former) {
    const { name } = await answer.json()
    tell(say('Changed: {deal}', { deal: name }), () => patch(address, answer.headers.get('etag'), former))
  } else tell(say('Undone.'))
  await refresh()
  return answer.ok
}

function reasonFor(text) {
  const page = new DOMParser().parseFromString(text, 'text/html')
  for (const place of page.querySelectorAll('.errors code')) place.textContent = labels[place.textContent.slice(1)]
  return reasonIn(page)
}
