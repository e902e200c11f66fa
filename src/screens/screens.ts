import type { Addresses } from '../http/contract/addresses.ts'
import type { Answer } from '../http/contract/answer.ts'
import type { Call, ScreenRequest, Screens, SeenAnswer } from '../http/contract/endpoint.ts'
import { lazily } from '../values/lazily.ts'
import { listReading } from './lists.ts'
import { hasNotice, tellNext, toldNow } from './notices/done-cookie.ts'
import { problemScreen } from './problem/for-people.ts'
import { navigationOf } from './shell/navigation.ts'
import { Surroundings } from './shell/surroundings.ts'
import { withScreen } from './show.ts'
import { withProblemScreen } from './show-problem.ts'
import { keepForm } from './sign-in/endpoints/keep-form.ts'

const notices = lazily(() => import('./notices/read.ts'))

/** Everything that people see. */
export function openScreens(addresses: Addresses): Screens {
  const navigation = navigationOf(addresses)
  return {
    show,
    list: listReading,
    problem: problemScreen,
    around: (asked, chosen) => new Surroundings(asked, navigation, chosen?.representation),
    keepForm,
  }
}

async function show(answer: Answer, call: Call, asked: ScreenRequest): Promise<SeenAnswer> {
  if ('done' in answer && answer.done !== undefined) return { answer, cookie: tellNext({ done: answer.done }, call) }
  const seen = { answer: await asSeen(answer, call) }
  if (!isTold(answer, asked)) return seen
  const notice = await (await notices()).showNotice(call)
  return notice === undefined ? seen : { ...seen, notice, cookie: toldNow(call) }
}

async function asSeen(answer: Answer, call: Call): Promise<Answer> {
  if ('problem' in answer) {
    const { shown } = answer.problem
    return shown === undefined ? answer : { problem: await withProblemScreen(answer.problem, shown, call) }
  }
  if (!('document' in answer) || answer.document === undefined || answer.shown === undefined) return answer
  return { ...answer, document: await withScreen(answer.document, answer.shown, call) }
}

/** Whether a page reports the last change; redirects and background updates of a page do not. */
const isTold = (answer: Answer, { request: { method, headers } }: ScreenRequest): boolean =>
  method === 'GET' &&
  hasNotice(headers.cookie) &&
  headers['x-refresh'] === undefined &&
  !('status' in answer && answer.status === 303)
