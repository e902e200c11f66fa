import type { Settings } from '../../config.ts'
import type { Headers } from '../contract/answer.ts'

/** On every answer: no sniffing, framing or scripts. Few and short, because every request pays for them. */
export function securityHeaders({ baseUrl }: Pick<Settings, 'baseUrl'>): Headers {
  return {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    // HSTS is valid only over https.
    ...(baseUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}

/** For pages instead: they may load from this origin, without inline script or style. */
export const htmlHeadersFor = ({ oidc }: Pick<Settings, 'oidc'>): Headers => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "manifest-src 'self'",
    "connect-src 'self'",
    // Signing out continues at the provider; browsers apply this to redirects of forms, too.
    `form-action 'self'${oidc === undefined ? '' : ` ${oidc.issuer.origin}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // Not no-referrer: with it browsers send `Origin: null` with our own forms.
  'referrer-policy': 'same-origin',
})
