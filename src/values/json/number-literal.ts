/** The number of decimals of a JSON number, without trailing zeros. */
export function decimalsIn(literal: string): number {
  if (isPlain(literal)) return Math.max(0, endOfDecimals(literal) - literal.indexOf('.') - 1)
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = whole + fraction
  const end = endOfDigits(digits)
  return end === 0 ? 0 : fraction.length - (digits.length - end) - Number(exponent)
}

/**
 * A JSON number as plain digits: JSON does not distinguish 7.0 or 70e-1 from 7. A number with a large exponent, whose
 * digits would be many, stays unchanged.
 */
export function inDigits(literal: string): string {
  if (isPlain(literal)) return literal.slice(0, endOfDecimals(literal))
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,2}))?$/i.exec(literal) ?? []
  if (whole === '') return literal
  const places = fraction.length - Number(power)
  const digits = `${whole}${fraction}`.padStart(places + 1, '0').padEnd(whole.length + Number(power), '0')
  const point = digits.length - Math.max(0, places)
  const behind = digits.slice(point)
  const decimals = behind.slice(0, endOfDigits(behind))
  return `${sign}${digits.slice(0, point).replace(/^0+(?=\d)/, '')}${decimals && `.${decimals}`}`
}

/** The position of the trailing zeros. `/0+$/` would take quadratic time if other zeros precede them. */
function endOfDigits(digits: string): number {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return end
}

/** A number with decimals and no exponent, as nearly all are written: only its trailing zeros say nothing. */
const isPlain = (literal: string): boolean => literal.includes('.') && !/e/i.test(literal)

/** The position behind the last decimal that counts, or that of the point. */
function endOfDecimals(plain: string): number {
  const end = endOfDigits(plain)
  return plain[end - 1] === '.' ? end - 1 : end
}
