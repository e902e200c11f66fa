/**
 * RFC 9110 §10.2.3: seconds or an HTTP-date. Returns milliseconds from now; undefined if the text is neither, or the
 * instant is past.
 */
export function readRetryAfter(text: string | undefined, now: number): number | undefined {
  const said = text?.trim() ?? ''
  if (/^\d{1,10}$/.test(said)) return Number(said) * 1000
  const wait = /^[A-Z][a-z]{2,8},? /.test(said) ? Date.parse(said) - now : Number.NaN
  return wait > 0 ? wait : undefined
}
