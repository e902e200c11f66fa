// The entries of a list in a form change places where they are: they are saved with the form, in the order in which it
// sends them. Without script their buttons send the form.

let drawn

const moved = (row) => row.querySelector('input').dispatchEvent(new Event('input', { bubbles: true }))

// Only the handle draws: the texts of a row are selected with the mouse.
for (const event of ['pointerdown', 'pointerup'])
  addEventListener(event, ({ target }) => {
    const row = target.closest?.('.handle')?.closest('.rows li')
    if (row) row.draggable = event === 'pointerdown'
  })

addEventListener('dragstart', ({ target, dataTransfer }) => {
  if (!target.matches?.('.rows li')) return
  drawn = target
  dataTransfer.effectAllowed = 'move'
  dataTransfer.setData('text/plain', '')
  target.classList.add('moving')
})

addEventListener('dragover', (event) => {
  const row = event.target.closest?.('.rows li')
  if (!drawn || row?.parentElement !== drawn.parentElement) return
  event.preventDefault()
  if (row === drawn) return
  const { top, height } = row.getBoundingClientRect()
  if (event.clientY < top + height / 2) row.before(drawn)
  else row.after(drawn)
})

addEventListener('drop', (event) => drawn && event.preventDefault())

addEventListener('dragend', () => {
  if (!drawn) return
  drawn.draggable = false
  drawn.classList.remove('moving')
  moved(drawn)
  drawn = undefined
})

addEventListener('click', (event) => {
  const button = event.target.closest?.('.rows .moves button')
  const row = button?.closest('li')
  if (!row) return
  event.preventDefault()
  const isUp = button.name === '_up'
  const other = isUp ? row.previousElementSibling : row.nextElementSibling
  if (!other) return
  if (isUp) other.before(row)
  else other.after(row)
  moved(row)
  // At an end its button is gone: the other one has the focus then.
  button.focus()
  if (document.activeElement !== button) button.parentElement.querySelector(`.${isUp ? 'down' : 'up'}`).focus()
})
