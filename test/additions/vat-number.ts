/** A column of customers: what stands in the declaration. Its migration is in `migrations`. */
export const vatNumber = {
  behind: '    phone: given(nullable(phone), null),\n',
  field: '    vatNumber: given(nullable(nameText({ min: 1, max: 30 })), null),\n',
}
