import { made, say } from './base.js'
import { reasonIn, sendHere } from './send-form.js'

// A cell of a list can be edited in place, with the form of the operation that sets it.

const operationIn = (cell) => cell.closest('table').tHead.rows[0].cells[cell.cellIndex]?.dataset.set

// Links elsewhere do not belong in a cell.
function withoutMore(form) {
  form?.querySelector('.send a')?.remove()
  return form
}

async function pageAt(address) {
  const answer = await fetch(address, { headers: { accept: 'text/html' } })
  if (answer.redirected) throw new Error('the session has ended')
  return new DOMParser().parseFromString(await answer.text(), 'text/html')
}

async function changeCell(cell) {
  const { href, textContent: name } = cell.parentElement.querySelector('th a')
  const page = await pageAt(`${href}/actions/${operationIn(cell)}`)
  // It opens once, however often the user clicks.
  if (document.querySelector('dialog[open]')) return
  const form = withoutMore(page.getElementById('op'))
  const close = made('button', { type: 'button', className: 'plain', textContent: say('Close') })
  const told = made('p', { className: 'fault', role: 'alert', hidden: true })
  const why = page.querySelector('#main .panel .empty')?.textContent ?? reasonIn(page)
  const content = form ?? made('p', { textContent: why })
  const dialog = made('dialog', { ariaLabel: name }, made('h2', { textContent: name }), told, content, close)
  close.onclick = () => dialog.close()
  dialog.addEventListener('close', () => {
    dialog.remove()
    document.querySelector(`#list a[href="${new URL(href).pathname}"]`)?.focus()
  })
  dialog.addEventListener('submit', async (event) => {
    event.preventDefault()
    // The refused form comes back filled in, on the current state.
    const refused = (page) => {
      told.textContent = reasonIn(page)
      told.hidden = false
      const again = page.querySelector('form.op[aria-label]')
      if (again) event.target.replaceWith(withoutMore(again))
    }
    // Without an answer the message is shown here: the page's own is hidden by the dialog.
    const isDone = await sendHere(event.target, event.submitter, { refused }).catch(() =>
      refused(document.createElement('p')),
    )
    if (isDone) dialog.close()
  })
  document.body.append(dialog)
  dialog.showModal()
  form?.querySelector('input:not([type=hidden]), select, textarea')?.focus()
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
    button.onclick = () => changeCell(cell).catch(() => location.assign(row.querySelector('th a').href))
    cell.append(button)
  }
}

addEventListener('pointerover', offerChanges)
addEventListener('focusin', offerChanges)
