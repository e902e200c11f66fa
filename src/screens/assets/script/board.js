import { made, say } from './base.js'
import { changeCard, loseCard, takeKeptCard } from './card-changes.js'
import { refresh } from './live.js'
import { board, formOf, send } from './send-card.js'
import { tellFailure } from './send-form.js'

// The board: a button or a drop sends the card's form without leaving the page, and a card is edited in place.

const cardOf = (event) => event.target.closest?.('.card')
const nameOf = (card) => card.querySelector('a').textContent

const move = (card, stage) => send(card, null, { fields: { stage } })
const win = (card) => send(card, card.querySelector('.won'))
const decide = async (card, control, typed, first) => {
  card.inert = true
  try {
    await (control === 'lost' ? loseCard(card) : changeCard(card, { typed, first }))
  } catch {
    card.inert = false
    tellFailure()
    await refresh().catch(() => {})
  }
}

// The targets for won and lost cards; they appear while one is dragged.
const outcomes = made(
  'div',
  { className: 'outcomes', hidden: true },
  made('p', { className: 'won', textContent: say('Won') }),
  made('p', { className: 'lost', textContent: say('Lost') }),
)

if (board !== null && 'moves' in board.dataset) {
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
    const { first } = control.dataset
    delete control.dataset.first
    void decide(cardOf(event), control.className, undefined, first)
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
