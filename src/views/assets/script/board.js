import { made, say, tell } from './base.js'
import { later } from './later.js'
import { refresh } from './live.js'
import { focusIfFree, reasonIn, sendHere, tellFailure } from './send-form.js'

// The board: a button or a drop sends the card's form without leaving the page, and a card is changed in place.

export const board = document.getElementById('board')

const cardOf = (event) => event.target.closest?.('.card')
const formOf = (card) => card?.querySelector('form[method=post]')
const nameOf = (card) => card.querySelector('a').textContent

// Sends the card's form; a refused card goes back. Answers whether it was done.
export async function send(card, submitter, options) {
  const column = card.parentElement
  const form = formOf(card)
  // Its form is for one change: until the next one is there, the card rests.
  card.inert = true
  const refused = (page) => tell(say('Not done: {why}', { why: reasonIn(page) }))
  try {
    const isDone = await sendHere(form, submitter, { ...options, refused })
    if (!isDone) await refresh(form)
    focusIfFree(document.getElementById(card.id)?.querySelector('a'))
    return isDone
  } catch {
    column.prepend(card)
    card.inert = false
    tellFailure()
    return false
  }
}

const move = (card, stage) => send(card, null, { fields: { stage } })
const win = (card) => send(card, card.querySelector('.won'))
// What asks for more is loaded when it is needed.
const decide = async (card, control, typed) => {
  card.inert = true
  try {
    await later('asking')
    await (control === 'lost' ? loseCard(card) : changeCard(card, typed))
  } catch {
    card.inert = false
    tellFailure()
    await refresh().catch(() => {})
  }
}

// Where a browser runs scripts, a card can be changed in place; each load of the board needs its buttons anew.
function equip() {
  for (const form of board.querySelectorAll('.card > form:not(:has(.change))')) {
    const label = say('Change {deal}', { deal: nameOf(form.closest('.card')) })
    const button = made('button', { type: 'button', className: 'change', ariaLabel: label, title: say('Change') })
    form.querySelector('.won').before(button)
    form.querySelector('.won').title = say('Won')
    form.querySelector('.lost').title = say('Lost')
  }
}

// What was typed into a card when the session had ended is asked for again after the sign-in.
const KEPT_CARD = 'card'
export const keepCard = (kept) => sessionStorage.setItem(KEPT_CARD, JSON.stringify(kept))
function takeKeptCard() {
  try {
    const kept = sessionStorage.getItem(KEPT_CARD)
    sessionStorage.removeItem(KEPT_CARD)
    return JSON.parse(kept)
  } catch {
    // The browser keeps nothing for this site.
    return null
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
  const { id, typed } = takeKeptCard() ?? {}
  const keptCard = id && document.getElementById(id)
  if (keptCard) void decide(keptCard, 'change', typed)

  board.addEventListener('submit', (event) => {
    const card = cardOf(event)
    if (!card || event.target !== formOf(card)) return
    event.preventDefault()
    void (event.submitter.className === 'won' ? win(card) : move(card, event.submitter.value))
  })
  board.addEventListener('click', (event) => {
    const control = event.target.closest('.card .change, .card .lost')
    if (control === null) return
    event.preventDefault()
    void decide(cardOf(event), control.className)
  })

  let dragged
  const placeOf = (event) => event.target.closest?.('.column, .outcomes p')
  const over = (place) => {
    for (const each of document.querySelectorAll('.over')) if (each !== place) each.classList.remove('over')
    place?.classList.add('over')
  }
  board.addEventListener('pointerdown', (event) => {
    const card = cardOf(event)
    if (formOf(card)) card.draggable = event.target.closest('dialog') === null
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
    if (place.className.includes('won')) return win(card)
    if (place.className.includes('lost')) return decide(card, 'lost')
    if (card.closest('.column') === place) return
    void move(card, place.dataset.stage)
    place.querySelector('ul').prepend(card)
  })
  addEventListener('dragend', () => {
    dragged?.classList.remove('moving')
    dragged = undefined
    outcomes.hidden = true
    over()
  })
}
