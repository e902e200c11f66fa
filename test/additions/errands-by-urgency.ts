/** A named query. */
export const errandsByUrgency = {
  name: 'errands-by-urgency',
  title: 'Errands of an urgency',
  collection: 'errands',
  parameter: { name: 'urgency', of: 'urgency', example: 3 },
} as const
