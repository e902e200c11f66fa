import { made, say } from './base.js'
import { openForms } from './dialog.js'
import { underWay } from './live.js'
import { board, formOf, placeOfCard, send } from './send-card.js'
import { tellFailure } from './send-form.js'

// The board: a button or a drop sends the card's form without leaving the page, and a card is changed in a dialog.

const cardOf = (event) => event.target.closest?.('.card')
const nameOf = (card) => card.querySelector('a').textContent

// A column has a pipeline if there are several.
const move = (card, { stage, pipeline }) => {
  const isElsewhere = pipeline && pipeline !== card.closest('.column').dataset.pipeline
  return send(card, null, { fields: { stage, ...(isElsewhere && { pipeline }) } })
}
const win = (card) => send(card, card.querySelector('.won'))
// Changes with further fields are made in the forms of the deal's own pages.
const change = (card, address) => openForms(address, nameOf(card), placeOfCard(card)).catch(tellFailure)
const lose = (card) => change(card, card.querySelector('.lost').href)

// The targets for won and lost cards; they appear while one is dragged.
const outcomes = made(
  'div',
  { className: 'outcomes', hidden: true },
  made('p', { className: 'won', textContent: say('Won') }),
  made('p', { className: 'lost', textContent: say('Lost') }),
)

if (board !== null && 'moves' in board.dataset) {
  document.body.append(outcomes)
  board.addEventListener('submit', (event) => {
    const card = cardOf(event)
    if (!card || event.target !== formOf(card)) return
    event.preventDefault()
    void (event.submitter.className === 'won' ? win(card) : move(card, { stage: event.submitter.value }))
  })
  board.addEventListener('click', (event) => {
    const control = event.target.closest('.card .change, .card .lost')
    if (control === null) return
    event.preventDefault()
    const card = cardOf(event)
    if (control.className === 'lost') return lose(card)
    // A key is about one operation.
    const { operation } = control.dataset
    delete control.dataset.operation
    const { href } = card.querySelector('a')
    void change(card, operation ? `${href}/actions/${operation}` : href)
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
    // A card that an update replaces could not end its drag.
    underWay.add(board)
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
    if (place.className.includes('lost')) return lose(card)
    if (card.closest('.column') === place) return
    void move(card, place.dataset)
    place.querySelector('ul').prepend(card)
  })
  addEventListener('dragend', () => {
    dragged?.classList.remove('moving')
    dragged = undefined
    underWay.delete(board)
    outcomes.hidden = true
    over()
  })
}
