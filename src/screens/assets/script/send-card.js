import { say, tell } from './base.js'
import { refresh } from './live.js'
import { focusIfFree, reasonIn, sendHere, tellFailure } from './send-form.js'

export const board = document.getElementById('board')
export const formOf = (card) => card?.querySelector('form[method=post]')

// Sends the card's form; a refused card goes back. Returns whether it was done.
export async function send(card, submitter, options) {
  const { parentElement: column, nextElementSibling: next, previousElementSibling: previous } = card
  const form = formOf(card)
  const heading = card.closest('.column').querySelector('h2').id
  // With the keyboard the page follows the card; a user who points at the board keeps the place.
  const preventScroll = !document.activeElement.matches(':focus-visible')
  // Its form is for one change: until the next one is ready, the card is inert.
  card.inert = true
  const refused = (page) => tell(say('Not done: {why}', { why: reasonIn(page) }))
  try {
    const isDone = await sendHere(form, submitter, { ...options, refused })
    if (!isDone) await refresh(form)
    const place = [card, next, previous].map((each) => each && document.getElementById(each.id)).find(Boolean)
    focusIfFree((place ?? document.getElementById(heading))?.querySelector('a'), { preventScroll })
    return isDone
  } catch {
    column.insertBefore(card, next?.parentElement === column ? next : null)
    card.inert = false
    tellFailure()
    return false
  }
}
