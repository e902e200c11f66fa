import { say, tell } from './base.js'
import { refresh } from './live.js'
import { focusIfFree, reasonIn, sendHere, tellFailure } from './send-form.js'

export const board = document.getElementById('board')
export const formOf = (card) => card?.querySelector('form[method=post]')

// Sends the card's form; a refused card goes back. Returns whether it was done.
export async function send(card, submitter, options) {
  const column = card.parentElement
  const form = formOf(card)
  // Its form is for one change: until the next one is ready, the card is inert.
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
