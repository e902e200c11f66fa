// A field that belongs to some choices of another one is there, and sent, while one of them is chosen.

function fit(form) {
  for (const each of form.querySelectorAll('[data-for]')) {
    const { for: other, values } = each.dataset
    const isFor = values.split(' ').includes(form.elements[other]?.value)
    each.hidden = !isFor
    for (const control of each.querySelectorAll('input, select, textarea')) control.disabled = !isFor
    each.querySelector('.for')?.remove()
  }
}

const fitAll = () => {
  for (const { form } of document.querySelectorAll('[data-for] [name]')) fit(form)
}

fitAll()
// A browser that comes back to the page restores what was chosen.
addEventListener('pageshow', fitAll)
addEventListener('change', ({ target }) => target.form && fit(target.form))
