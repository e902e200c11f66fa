import { header } from '../../http/contract/endpoint.ts'
import type { Problem } from '../../http/contract/problems/problem.ts'
import { splitOutsideQuotes } from '../../http/negotiate/accept.ts'
import { isWelcome } from '../../http/negotiate/negotiation.ts'
import type { DoorCall } from '../door.ts'

export const MEDIA_TYPE = 'application/vnd.api+json'
/** The extension for several operations in one request. */
export const ATOMIC = 'https://jsonapi.org/ext/atomic'
export const ATOMIC_TYPE = `${MEDIA_TYPE}; ext="${ATOMIC}"`

/** JSON:API's demands on Accept and Content-Type; the server has checked the type itself. */
export function negotiationFault(call: DoorCall, { atomic }: { readonly atomic: boolean }): Problem | undefined {
  return acceptFault(header(call, 'accept')) ?? (call.bytes.length === 0 ? undefined : contentFault(call, atomic))
}

/** Instances with other parameters or unknown extensions are ignored; if there are no others, that is 406. */
function acceptFault(accept: string | undefined): Problem | undefined {
  if (accept === undefined || accept.trim() === '') return undefined
  const elements = splitOutsideQuotes(accept, ',')
  const usable = elements.filter((each) => typeIn(each) !== MEDIA_TYPE || isUsable(each))
  const isNamed = elements.some((each) => typeIn(each) === MEDIA_TYPE)
  const isLeft = usable.some((each) => typeIn(each) === MEDIA_TYPE)
  if (isNamed === isLeft && isWelcome(usable.join(), undefined, [MEDIA_TYPE])) return undefined
  return {
    code: 'not-acceptable',
    detail: `This is available as ${MEDIA_TYPE}, without parameters but ext="${ATOMIC}" and profile.`,
    extra: { available: [{ format: 'jsonapi', mediaType: MEDIA_TYPE }] },
  }
}

const isUsable = (range: string): boolean => parametersOf(range).every(isKnownParameter)

function contentFault(call: DoorCall, atomic: boolean): Problem | undefined {
  const sent = parametersOf(header(call, 'content-type') ?? '')
  const unknown = sent.find((each) => !isKnownParameter(each))
  if (unknown !== undefined) {
    return unsupported(`The media type has the parameter ${unknown.name}, or a value of it, that is not known here.`)
  }
  const isAtomic = sent.some(({ name }) => name === 'ext')
  return atomic && !isAtomic ? unsupported('Operations need their extension in the media type.') : undefined
}

const unsupported = (detail: string): Problem => ({
  code: 'unsupported-media-type',
  detail: `${detail} Send ${MEDIA_TYPE} or ${ATOMIC_TYPE}.`,
  headers: { accept: `${MEDIA_TYPE}, ${ATOMIC_TYPE}` },
})

interface TypeParameter {
  readonly name: string
  readonly value: string
}

const typeIn = (range: string): string => splitOutsideQuotes(range, ';')[0]?.trim().toLowerCase() ?? ''

/** The parameters of a media type, up to the weight of a range. */
function parametersOf(range: string): readonly TypeParameter[] {
  const all = splitOutsideQuotes(range, ';')
    .slice(1)
    .filter((each) => each.trim() !== '')
    .map((each): TypeParameter => {
      const [, name = each, value = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(each) ?? []
      return { name: name.trim().toLowerCase(), value: value.replace(/^"(.*)"$/, '$1') }
    })
  const weight = all.findIndex(({ name }) => name === 'q')
  return weight === -1 ? all : all.slice(0, weight)
}

/** Unknown profiles change nothing. */
const isKnownParameter = ({ name, value }: TypeParameter): boolean =>
  name === 'profile' || (name === 'ext' && value.split(' ').every((uri) => uri === ATOMIC))
