import { say, tell } from './base.js'
import { ask } from './dialog.js'
import { refresh } from './live.js'
import { board, send } from './send-card.js'
import { focusIfFree, reasonIn, tellFailure } from './send-form.js'

// A card is lost for a reason, and edited in place.

const dealOf = (card) => card.querySelector('a').href
const titleOf = (stage) => document.querySelector(`#stage-${stage} a`)?.textContent ?? stage

const labels = {
  price: say('Price'),
  completionDate: say('Completion date'),
  owner: say('Owner'),
  stage: say('Stage'),
}

const shown = (card) => document.getElementById(card.id)

// `typed` is the refused input: it is asked for again, on the current state.
export async function loseCard(card, typed = '') {
  card.inert = false
  const fields = await ask(card.querySelector('.lost').ariaLabel, [
    { name: 'reason', label: say('Reason'), required: true, maxLength: 1000, value: typed },
  ])
  const lost = () => shown(card)?.querySelector('.lost')
  if (fields === undefined) return lost()?.focus()
  const isDone = await send(card, null, { action: `${dealOf(card)}/cancellations`, fields })
  if (!isDone && lost()) return loseCard(shown(card), fields.reason)
}

// Input from after the session had ended is asked for again after the sign-in.
const KEPT_CARD = 'card'
const keepCard = (kept) => sessionStorage.setItem(KEPT_CARD, JSON.stringify(kept))
export function takeKeptCard() {
  try {
    const kept = sessionStorage.getItem(KEPT_CARD)
    sessionStorage.removeItem(KEPT_CARD)
    return JSON.parse(kept)
  } catch {
    // The browser stores nothing for this site.
    return null
  }
}

// The page asks to sign in, and returns here.
function signInFirst(kept) {
  try {
    if (kept?.typed) keepCard(kept)
  } finally {
    location.reload()
  }
}

async function readDeal(address, kept) {
  const answer = await fetch(address, { headers: { accept: 'application/json' } })
  if (answer.status === 401) signInFirst(kept)
  if (!answer.ok) throw new Error('the deal cannot be read')
  return { before: await answer.json(), tag: answer.headers.get('etag') }
}

// The field `first` gets the focus.
export async function changeCard(card, { typed, read, first }) {
  const address = dealOf(card)
  const { id } = card
  const { before, tag } = read ?? (await readDeal(address, { id, typed }))
  // Meanwhile the card may have been replaced.
  const place = shown(card) ?? card
  place.inert = false
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
    ].map((field) => ({
      ...field,
      value: typed?.[field.name] ?? before[field.name] ?? '',
      autofocus: field.name === first,
    })),
    place,
  )
  if (answers === undefined) {
    shown(card)?.querySelector('.change')?.focus()
    // Events meanwhile were not shown.
    return refresh().catch(() => {})
  }
  const after = {
    ...answers,
    price: Number(answers.price),
    completionDate: answers.completionDate || null,
    owner: answers.owner || null,
  }
  const names = Object.keys(after).filter((name) => after[name] !== before[name])
  const those = (values) => Object.fromEntries(names.map((name) => [name, values[name]]))
  // Without an answer it is asked for again, on the state that was read before.
  const options = { former: those(before), kept: { id, typed: those(answers) } }
  const isDone = names.length === 0 || (await patch(address, tag, those(after), options).catch(tellFailure))
  const again = shown(card)
  if (!isDone && again)
    return changeCard(again, { typed: those(answers), read: isDone === undefined ? { before, tag } : undefined, first })
  focusIfFree(again?.querySelector('.change'))
}

// Returns whether it was done. `former` reverts it.
async function patch(address, tag, fields, { former, kept } = {}) {
  const answerAs = (accept) => {
    const headers = { 'content-type': 'application/json', accept, 'if-match': tag }
    return fetch(address, { method: 'PATCH', body: JSON.stringify(fields), headers })
  }
  const answer = await answerAs('application/json')
  if (answer.status === 401) {
    signInFirst(kept)
    return true
  }
  // A page has the reason in the reader's language. A refusal would be repeated; a temporary failure may be retried.
  const page = answer.ok || answer.status > 428 ? answer : await answerAs('text/html')
  if (!answer.ok) tell(say('Not done: {why}', { why: reasonFor(await page.text()) }))
  else if (former) {
    const { name } = await answer.json()
    const undo = () => patch(address, answer.headers.get('etag'), former).catch(tellFailure)
    tell(say('Changed: {deal}', { deal: name }), undo)
  } else tell(say('Undone.'))
  await refresh().catch(() => {})
  return answer.ok
}

function reasonFor(text) {
  const page = new DOMParser().parseFromString(text, 'text/html')
  for (const place of page.querySelectorAll('.errors code')) place.textContent = labels[place.textContent.slice(1)]
  return reasonIn(page)
}
