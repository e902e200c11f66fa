import { made, say, tell } from './base.js'
import { openForms, refusedIn, showInDialog } from './dialog.js'
import { refresh, underWay } from './live.js'
import { focusIfFree, reasonIn, sendHere, tellFailure } from './send-form.js'

// The board: a button or a drop sends the card's form without leaving the page, and a card is changed in a dialog.

const board = document.getElementById('board')
const formOf = (card) => card?.querySelector('form[method=post]')

// Returns where the focus goes after a change of the card: to it, to a neighbour, or to the heading of its column.
function placeOfCard(card) {
  const { nextElementSibling: next, previousElementSibling: previous } = card
  const heading = card.closest('.column').querySelector('h2')
  return () =>
    [card, next, previous, heading]
      .map((each) => each && document.getElementById(each.id))
      .find(Boolean)
      ?.querySelector('a')
}

// Sends the card's form; a refused card goes back.
async function send(card, submitter, options) {
  const { parentElement: column, nextElementSibling: next } = card
  const form = formOf(card)
  const place = placeOfCard(card)
  // With the keyboard the page follows the card; a user who points at the board keeps the place.
  const preventScroll = !document.activeElement.matches(':focus-visible')
  // Its form is for one change: until the next one is ready, the card is inert.
  card.inert = true
  // Missing fields are filled in where the move is tried again.
  let missing
  const refused = (page) => {
    if (page.getElementById('missing') !== null) missing = page
    else tell(say('Not done: {why}', { why: reasonIn(page) }))
  }
  try {
    const isDone = await sendHere(form, submitter, { ...options, refused })
    if (!isDone) await refresh(form)
    if (missing) showInDialog(missing, refusedIn(missing), card.querySelector('a').textContent, place)
    else focusIfFree(place(), { preventScroll })
  } catch {
    column.insertBefore(card, next?.parentElement === column ? next : null)
    card.inert = false
    tellFailure()
  }
}

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
