import { made, say, tell } from './base.js'
import { ask } from './dialog.js'
import { refresh } from './live.js'
import { sendHere } from './send-form.js'

// The board: a button or a drop sends the card's form without leaving the page, and a card is changed in place.

const board = document.getElementById('board')

const cardOf = (event) => event.target.closest?.('.card')
const formOf = (card) => card?.querySelector('form[method=post]')
const dealOf = (card) => card.querySelector('a').href
const nameOf = (card) => card.querySelector('a').textContent
const titleOf = (stage) => document.querySelector(`#stage-${stage} a`)?.textContent ?? stage

// Sends the card's form; a refused card goes back.
async function send(card, submitter, options) {
  const isDone = await sendHere(formOf(card), submitter, {
    ...options,
    refused: (page) => tell(say('Not done: {why}', { why: page?.querySelector('[role=alert]')?.textContent ?? '' })),
  })
  if (!isDone) await refresh()
  document.getElementById(card.id)?.querySelector('a')?.focus()
}

const move = (card, stage) => send(card, null, { fields: { stage } })
const win = (card) => send(card, card.querySelector('.won'))

async function lose(card) {
  const fields = await ask(card.querySelector('.lost').ariaLabel, [
    { name: 'reason', label: say('Reason'), required: true, maxLength: 1000 },
  ])
  if (fields === undefined) return card.querySelector('.lost').focus()
  await send(card, null, { action: `${dealOf(card)}/cancellations`, fields })
}

async function change(card) {
  const address = dealOf(card)
  const answer = await fetch(address, { headers: { accept: 'application/json' } })
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

// Where a browser runs scripts, a card can be changed in place; each load of the board needs its buttons anew.
function equip() {
  for (const form of board.querySelectorAll('.card form:not(:has(.change))')) {
    const label = say('Change {deal}', { deal: nameOf(form.closest('.card')) })
    const button = made('button', { type: 'button', className: 'change', ariaLabel: label, title: say('Change') })
    form.querySelector('.won').before(button)
    form.querySelector('.won').title = say('Won')
    form.querySelector('.lost').title = say('Lost')
  }
}

// The places to drop a card that is decided; they appear while one is dragged.
const outcomes = made(
  'div',
  { className: 'outcomes', hidden: true },
  made('p', { className: 'won', textContent: say('Won') }),
  made('p', { className: 'lost', textContent: say('Lost') }),
)

if (board !== null && 'moves' in board.dataset) {
  equip()
  new MutationObserver(equip).observe(board, { childList: true })
  document.body.append(outcomes)
  const orReload = (sent) => sent.catch(() => location.reload())

  board.addEventListener('submit', (event) => {
    const card = cardOf(event)
    if (!card || event.target !== formOf(card)) return
    event.preventDefault()
    orReload(event.submitter.className === 'won' ? win(card) : move(card, event.submitter.value))
  })
  board.addEventListener('click', (event) => {
    const control = event.target.closest('.card .change, .card .lost')
    if (control === null) return
    event.preventDefault()
    orReload(control.className === 'lost' ? lose(cardOf(event)) : change(cardOf(event)))
  })

  let dragged
  const placeOf = (event) => event.target.closest?.('.column, .outcomes p')
  const over = (place) => {
    for (const each of document.querySelectorAll('.over')) if (each !== place) each.classList.remove('over')
    place?.classList.add('over')
  }
  board.addEventListener('pointerdown', (event) => {
    const card = cardOf(event)
    if (formOf(card)) card.draggable = true
  })
  board.addEventListener('dragstart', (event) => {
    dragged = cardOf(event)
    if (!dragged) return
    event.dataTransfer.effectAllowed = 'move'
    event.dataTransfer.setData('text/plain', nameOf(dragged))
    dragged.classList.add('moving')
    // A browser ends a drag whose element moves while it begins.
    setTimeout(() => {
      outcomes.hidden = dragged === undefined
    })
  })
  addEventListener('dragover', (event) => {
    const place = placeOf(event)
    if (dragged === undefined || !place) return
    event.preventDefault()
    over(place)
  })
  addEventListener('drop', (event) => {
    const place = placeOf(event)
    if (dragged === undefined || !place) return
    event.preventDefault()
    const card = dragged
    if (place.className.includes('won')) return orReload(win(card))
    if (place.className.includes('lost')) return orReload(lose(card))
    if (card.closest('.column') === place) return
    orReload(move(card, place.dataset.stage))
    place.querySelector('ul').prepend(card)
  })
  addEventListener('dragend', () => {
    dragged?.classList.remove('moving')
    dragged = undefined
    outcomes.hidden = true
    over()
  })
}
