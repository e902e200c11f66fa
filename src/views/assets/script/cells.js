import { made, say } from './base.js'
import { later } from './later.js'

// A cell of a list can be changed in place.

export const operationIn = (cell) => cell.closest('table').tHead.rows[0].cells[cell.cellIndex]?.dataset.set

// The buttons come with the pointer or the focus: hundreds of them would be in the way.
function offerChanges({ target }) {
  const row = target.closest?.('#list tbody tr')
  if (!row || row.querySelector('.change')) return
  for (const each of document.querySelectorAll('#list .change')) each.remove()
  for (const cell of row.cells) {
    if (!operationIn(cell)) continue
    const column = row.closest('table').tHead.rows[0].cells[cell.cellIndex].textContent.trim()
    const button = made('button', {
      type: 'button',
      className: 'plain change',
      ariaLabel: say('Change: {what}', { what: column }),
    })
    button.onclick = () =>
      later('cell')
        .then(() => changeCell(cell))
        .catch(() => location.assign(row.querySelector('th a').href))
    cell.append(button)
  }
}

addEventListener('pointerover', offerChanges)
addEventListener('focusin', offerChanges)
