/** The order of lists for people where the address names none. Others have that of programs. decisions/0046 */
export const listOrders: { readonly [resource: string]: string } = { deal: '-updatedAt', rate: '-since' }
