import { say, tell } from './base.js'
import { refusedIn, showInDialog } from './dialog.js'
import { refresh } from './live.js'
import { focusIfFree, reasonIn, sendHere, tellFailure } from './send-form.js'

export const board = document.getElementById('board')
export const formOf = (card) => card?.querySelector('form[method=post]')

// Returns where the focus goes after a change of the card: to it, to a neighbour, or to the heading of its column.
export function placeOfCard(card) {
  const { nextElementSibling: next, previousElementSibling: previous } = card
  const heading = card.closest('.column').querySelector('h2')
  return () =>
    [card, next, previous, heading]
      .map((each) => each && document.getElementById(each.id))
      .find(Boolean)
      ?.querySelector('a')
}

// Sends the card's form; a refused card goes back.
export async function send(card, submitter, options) {
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
