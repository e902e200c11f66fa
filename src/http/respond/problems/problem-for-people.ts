import type { ProblemCode, ProblemType } from './problem-types.ts'

/** Texts for people, where the usual ones speak of headers, members and credentials. */
export const forPeople: { readonly [C in ProblemCode]?: Pick<ProblemType, 'meaning' | 'remedy'> } = {
  unauthorized: {
    meaning: 'Nothing is shown or changed before you are signed in.',
    remedy: 'Sign in with your name and password. If you have none, ask whoever runs this service for an account.',
  },
  forbidden: {
    meaning: 'Nothing was changed.',
    remedy: 'Ask an administrator to do it, or to give you that role.',
  },
  'cross-site-request': {
    meaning: 'A page of another site made your browser send this, perhaps without you knowing. Nothing was changed.',
    remedy: 'If you meant to do it, do it on the pages of this service.',
  },
  'invalid-parameter': {
    meaning: 'The address asks for something that this page does not understand.',
    remedy: 'Go back and change the filter, or start from one of the pages below.',
  },
  'query-too-costly': {
    meaning: 'The search was stopped after two seconds.',
    remedy: 'Narrow it with another filter, such as a status, an owner or a range of dates.',
  },
  'not-found': {
    meaning: 'The address may be mistyped, or the page may have moved.',
    remedy: 'Start from one of the pages below.',
  },
  'deal-not-found': {
    meaning: 'The address may be mistyped, or the deal was deleted for good.',
    remedy: 'Look for it in the list of deals.',
  },
  'customer-not-found': {
    meaning: 'The address may be mistyped, or the customer was deleted.',
    remedy: 'Look for it in the list of customers.',
  },
}
