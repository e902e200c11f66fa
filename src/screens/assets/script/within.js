// A choice that depends on another field of its form offers what is possible there.

function narrow(choice) {
  const { value } = choice.form.elements[choice.dataset.within] ?? {}
  const groups = [...choice.querySelectorAll('optgroup')]
  const areSome = groups.some(({ dataset }) => 'here' in dataset)
  for (const group of groups) {
    const isPossible = value ? group.dataset.of === value : !areSome || 'here' in group.dataset
    group.hidden = !isPossible
    group.disabled = !isPossible
  }
  const [chosen] = choice.selectedOptions
  if (!chosen?.parentElement.hidden) return
  const same = [...choice.options].find((each) => each.value === chosen.value && !each.parentElement.hidden)
  choice.value = ''
  if (same) same.selected = true
}

// The options are seen while it has the focus.
addEventListener('focusin', ({ target }) => target.matches?.('select[data-within]') && narrow(target))
addEventListener('change', ({ target }) => {
  for (const each of target.form?.querySelectorAll('select[data-within]') ?? [])
    if (each.dataset.within === target.name) narrow(each)
})
