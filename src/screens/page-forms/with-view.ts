import { boundedFaults } from '../../http/contract/problems/bounded-problem.ts'
import type { Problem } from '../../http/contract/problems/problem.ts'
import { problemType } from '../../http/contract/problems/problem-types.ts'
import type { View } from '../parts/visit.ts'
import type { FormRefusal } from './refused-form.ts'

/** A problem with what a person sees instead of its usual page; `show` answers nothing where it has nothing better. */
export async function withView(
  problem: Problem,
  show: (refusal: FormRefusal) => Promise<View | undefined> | View | undefined,
): Promise<Problem> {
  const { errors } = problem
  const { title } = problemType(problem.code)
  const page = await show({ ...problem, title, ...(errors && { errors: boundedFaults(errors) }) })
  return page === undefined ? problem : { ...problem, page }
}
