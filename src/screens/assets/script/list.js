import { made, say } from './base.js'

// Lists: rows are selected together.

const rowsOf = (list) => [...list.querySelectorAll('.selectable [type=checkbox][name]')]
const picked = new Set()

// Operations that no chosen row allows are left out: each has a bit for each operation.
function offer(list, chosen) {
  const choice = list.querySelector('#bulk-operation')
  const can = chosen.reduce((all, { dataset }) => all | Number.parseInt(dataset.can ?? 'zzzzz', 36), 0)
  for (const [at, option] of [...choice.options].slice(1).entries())
    option.hidden = option.disabled = chosen.length > 0 && !((can >> at) & 1)
  for (const group of choice.querySelectorAll('optgroup'))
    group.hidden = [...group.children].every(({ hidden }) => hidden)
  if (choice.selectedOptions[0]?.disabled) choice.value = ''
}

// Each load of the list needs its boxes and buttons again; selected rows stay selected.
function equipList(list) {
  const all = list.querySelector('[name=_all]')
  if (all === null) return
  // From now on it selects the boxes of the rows; in a table it belongs in the head.
  all.removeAttribute('name')
  const count = made('output')
  const head = list.querySelector('thead th')
  if (head === null) all.parentElement.after(count)
  else {
    all.ariaLabel = say('All rows shown')
    all.parentElement.replaceWith(count)
    head.prepend(all)
  }
  const show = () => {
    const boxes = rowsOf(list)
    const chosen = boxes.filter(({ checked }) => checked)
    picked.clear()
    for (const { name } of chosen) picked.add(name)
    all.checked = chosen.length === boxes.length
    all.indeterminate = !all.checked && chosen.length > 0
    count.textContent = say('{count} rows selected', { count: chosen.length })
    offer(list, chosen)
  }
  for (const box of rowsOf(list)) box.checked = picked.has(box.name)
  all.onchange = () => {
    for (const box of rowsOf(list)) box.checked = all.checked
    show()
  }
  list.querySelector('.selectable').onchange = show
  show()
}

const shownList = document.getElementById('list')
if (shownList !== null) {
  equipList(shownList)
  // After going back, the browser restores the selection after the script ran.
  addEventListener('pageshow', () => shownList.querySelector('.selectable')?.onchange())
  new MutationObserver(() => equipList(shownList)).observe(shownList, { childList: true })
}

const openDrops = () => [...document.querySelectorAll('details.drop[open], .turns > details[open]')]

for (const leaving of ['click', 'focusin'])
  addEventListener(leaving, ({ target }) => {
    for (const open of openDrops()) if (!open.contains(target)) open.open = false
  })
addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented) return
  for (const open of openDrops()) {
    open.open = false
    open.querySelector('summary').focus()
  }
})
