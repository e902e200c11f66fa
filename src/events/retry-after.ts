/**
 * RFC 9110 §10.2.3: seconds or an HTTP-date. Returns milliseconds from now; undefined if the text is neither, or the
 * instant is past.
 */
export function readRetryAfter(text: string | undefined, now: number): number | undefined {
  const said = text?.trim() ?? ''
  if (/^\d+$/.test(said)) return Number(said) * 1000
  // RFC 9110 §5.6.7: the format of asctime, which ends with the year, names no zone and is GMT.
  const date = / \d{4}$/.test(said) ? `${said} GMT` : said
  const wait = /^[A-Z][a-z]{2,8},? /.test(said) ? Date.parse(date) - now : Number.NaN
  return wait > 0 ? wait : undefined
}
