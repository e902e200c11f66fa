/** The order of lists for people: what was changed last comes first. */
export const LATEST_FIRST = '-updatedAt'
