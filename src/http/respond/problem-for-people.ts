import type { ProblemCode, ProblemType } from './problem-types.ts'

/** Texts for people, where the usual ones speak of headers and credentials. */
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
}
