import { capitalized } from '../../values/kinds/text.ts'
import { pick, type Random } from '../random.ts'

/** Legal forms of companies in some countries; elsewhere they are English. */
const legalForms: { readonly [country: string]: readonly string[] } = {
  DE: ['GmbH', '& Söhne', 'GmbH & Co. KG', 'AG'],
  AT: ['GmbH', '& Co.'],
  CH: ['AG', 'SA', 'GmbH'],
  FR: ['SARL', 'et Fils', 'SAS'],
  BE: ['SRL', 'NV'],
  ES: ['e Hijos', 'S.L.', 'S.A.'],
  PT: ['Lda.'],
  IT: ['S.r.l.', 'S.p.A.'],
  SE: ['AB'],
  NO: ['AS'],
  DK: ['ApS'],
  FI: ['Oy'],
  NL: ['B.V.'],
  US: ['Inc.', 'LLC', 'Co.'],
}
const others = ['Ltd', '& Co.', 'Group']

const trades = ['Bau', 'Logistics', 'Foods', 'Energy', 'Hotels', 'Design', 'Works', 'Trading', 'Systems', 'Care']

/** The company of a family, such as Weber Logistics GmbH. */
export function companyOf(family: string, country: string | null, random: Random): string {
  const name = capitalized(family)
  const form = pick(legalForms[country ?? ''] ?? others, random)
  return form.startsWith('&') || form.startsWith('e') ? `${name} ${form}` : `${name} ${pick(trades, random)} ${form}`
}

const prefixes: { readonly [country: string]: string } = {
  DE: '+49',
  AT: '+43',
  CH: '+41',
  FR: '+33',
  BE: '+32',
  ES: '+34',
  PT: '+351',
  IT: '+39',
  SE: '+46',
  GB: '+44',
  NL: '+31',
  JP: '+81',
}

/** A number that nobody has: its digits are reserved for fiction. */
export const phoneIn = (country: string | null, random: Random): string =>
  `${prefixes[country ?? ''] ?? '+1'} 555 01${String(random(100)).padStart(2, '0')}${String(random(100)).padStart(2, '0')}`
