import { say, tell } from './base.js'
import { refresh } from './live.js'

// The board: a button or a drop sends the card's form without leaving the page.

async function send(form, stage) {
  const body = new URLSearchParams(new FormData(form))
  body.set('stage', stage)
  const answer = await fetch(form.action, { method: 'POST', body, headers: { accept: 'application/json' } })
  const { id } = form.closest('.card')
  if (answer.ok) tell(say('Moved to {stage}.', { stage: stageNamed(stage) }))
  else tell(say('Not moved: {why}', { why: (await answer.json()).detail }))
  await refresh()
  document.getElementById(id)?.querySelector('a')?.focus()
}

const stageNamed = (stage) => document.querySelector(`#stage-${stage} a`)?.textContent ?? stage

const board = document.getElementById('board')
if (board !== null) {
  board.addEventListener('submit', (event) => {
    event.preventDefault()
    send(event.target, event.submitter.value).catch(() => event.target.submit())
  })
  let dragged
  const columnOf = (event) => event.target.closest?.('.column')
  board.addEventListener('dragstart', (event) => {
    dragged = event.target.closest('.card')
    event.dataTransfer.effectAllowed = 'move'
    event.dataTransfer.setData('text/plain', dragged.id)
    dragged.classList.add('moving')
  })
  board.addEventListener('dragover', (event) => {
    const column = columnOf(event)
    if (dragged === undefined || !column) return
    event.preventDefault()
    for (const each of board.querySelectorAll('.over')) if (each !== column) each.classList.remove('over')
    column.classList.add('over')
  })
  board.addEventListener('drop', (event) => {
    const column = columnOf(event)
    if (dragged === undefined || !column) return
    event.preventDefault()
    if (dragged.closest('.column') !== column) {
      column.querySelector('ul').prepend(dragged)
      send(dragged.querySelector('form'), column.dataset.stage).catch(() => location.reload())
    }
  })
  board.addEventListener('dragend', () => {
    dragged?.classList.remove('moving')
    dragged = undefined
    for (const each of board.querySelectorAll('.over')) each.classList.remove('over')
  })
}
