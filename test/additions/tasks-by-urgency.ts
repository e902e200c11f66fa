import { collectionNamed } from '../../src/queries/collections.ts'

/** A named query. */
export const tasksByUrgency = {
  name: 'tasks-by-urgency',
  title: 'Tasks of an urgency',
  collection: collectionNamed('tasks'),
  parameter: { name: 'urgency', of: 'urgency', example: 3 },
} as const
