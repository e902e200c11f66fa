import { made, say } from './base.js'
import { openForms } from './dialog.js'
import { tellFailure } from './send-form.js'

// A cell of a list can be edited in place, with the form of the operation that sets it.

const operationIn = (cell) => cell.closest('table').tHead.rows[0].cells[cell.cellIndex]?.dataset.set

function changeCell(cell) {
  const { href, pathname, textContent: name } = cell.parentElement.querySelector('th a')
  const back = () => document.querySelector(`#list a[href="${pathname}"]`)
  openForms(`${href}/actions/${operationIn(cell)}`, name, back).catch(tellFailure)
}

// The buttons appear with the pointer or the focus: hundreds of them would be in the way.
function offerChanges({ target }) {
  const row = target.closest?.('#list table:has([data-set]) tbody tr')
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
    button.onclick = () => changeCell(cell)
    cell.append(button)
  }
}

addEventListener('pointerover', offerChanges)
addEventListener('focusin', offerChanges)
