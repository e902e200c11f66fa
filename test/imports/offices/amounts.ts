import { type OfficeFile, utf8 } from './office-file.ts'

/** Amounts, days, persons and words, as people write them. */
export const amounts: readonly OfficeFile[] = [
  {
    ...{ title: "1'450.– and other Swiss amounts", name: 'schweiz.csv', of: 'deals' },
    content: utf8('Titel;Betrag', "Swiss one;CHF 1'450.–", "Swiss two;Fr. 1'234.55", 'Swiss three;CHF 12.–'),
    rows: [
      { name: 'Swiss one', price: 1450, currency: 'CHF' },
      { name: 'Swiss two', price: 1234.55, currency: 'CHF' },
      { name: 'Swiss three', price: 12, currency: 'CHF' },
    ],
  },
  {
    ...{ title: '25k among numbers', name: 'k.csv', of: 'deals' },
    content: utf8('Titel;Betrag', 'Kilo one;25k', 'Kilo two;25'),
    rows: [{ name: 'Kilo two', price: 25 }],
    refused: [[2, 'malformed']],
  },
  {
    ...{ title: 'thousands of euros', name: 'volumen.csv', of: 'deals' },
    answers: { columns: { 'VOLUMEN (T€)': { unit: 1000 } } },
    content: utf8('Titel;VOLUMEN (T€)', 'Thousand one;25', 'Thousand two;1,5'),
    rows: [
      { name: 'Thousand one', price: 25_000, currency: 'EUR' },
      { name: 'Thousand two', price: 1500, currency: 'EUR' },
    ],
  },
  {
    ...{ title: 'a heading that is a unit alone', name: 'teur.csv', of: 'deals' },
    answers: { columns: { 'T€': { field: 'price', unit: 1000 } } },
    content: utf8('Titel;T€', 'Unit one;25'),
    rows: [{ name: 'Unit one', price: 25_000, currency: 'EUR' }],
  },
  {
    ...{ title: 'a point of thousands among decimal commas', name: 'us.csv', of: 'deals' },
    answers: { columns: { Betrag: { currency: 'USD' } } },
    content: utf8('Titel;Betrag', 'Mark one;1.234,50 EUR', 'Mark two;US$ 5,000', 'Mark three;12,5 EUR'),
    rows: [
      { name: 'Mark one', price: 1234.5, currency: 'EUR' },
      { name: 'Mark three', price: 12.5, currency: 'EUR' },
    ],
    refused: [[3, 'two-readings']],
  },
  {
    ...{ title: 'a symbol among bare numbers', name: 'dollar.csv', of: 'deals' },
    answers: { columns: { Amount: { currency: 'USD' } } },
    content: utf8('Title,Amount', 'Sign one,$5.50', 'Sign two,1234', 'Sign three,7 CHF'.replace('7 CHF', '€7')),
    rows: [
      { name: 'Sign one', price: 5.5, currency: 'USD' },
      { name: 'Sign two', price: 1234, currency: 'EUR' },
      { name: 'Sign three', price: 7, currency: 'EUR' },
    ],
  },
  {
    ...{ title: 'amounts that allow both readings', name: 'beides.csv', of: 'deals' },
    answers: { columns: { Betrag: { decimal: ',' } } },
    content: utf8('Titel;Betrag', 'Both one;1.500', 'Both two;2.750'),
    rows: [
      { name: 'Both one', price: 1500 },
      { name: 'Both two', price: 2750 },
    ],
  },
  {
    ...{ title: 'less than nothing, and no number at all', name: 'minus.csv', of: 'deals' },
    content: utf8(
      'Titel;Betrag',
      'Minus one;-5',
      'Minus two;(5,00)',
      'Minus three;auf Anfrage',
      'Minus four;',
      'Minus five;5',
    ),
    rows: [{ name: 'Minus five', price: 5 }],
    refused: [
      [2, 'negative'],
      [3, 'negative'],
      [4, 'malformed'],
      [5, 'required'],
    ],
  },
  {
    ...{
      title: 'no price for some',
      name: 'ohne.csv',
      of: 'deals',
      answers: { defaults: { price: 0, stage: 'qualified' } },
    },
    content: utf8('Titel;Betrag', 'Free one;', 'Free two;5'),
    rows: [
      { name: 'Free one', price: 0, stage: 'qualified' },
      { name: 'Free two', price: 5, stage: 'qualified' },
    ],
  },
  {
    ...{ title: 'days with a time, and names of months', name: 'tage.csv', of: 'deals' },
    content: utf8(
      'Titel;Betrag;Abschluss',
      'Day one;1;31.12.2026 14:30',
      'Day two;1;Dec 31, 2026',
      'Day three;1;1er janvier 2027',
      'Day four;1;31.02.2027',
      'Day five;1;2027-01-31T09:00:00Z',
    ),
    rows: [
      { name: 'Day one', completionDate: '2026-12-31' },
      { name: 'Day two', completionDate: '2026-12-31' },
      { name: 'Day three', completionDate: '2027-01-01' },
      { name: 'Day five', completionDate: '2027-01-31' },
    ],
    refused: [[5, 'malformed']],
  },
  {
    ...{ title: 'days that allow both orders', name: 'order.csv', of: 'tasks' },
    answers: { columns: { Due: { dates: 'mdy' } } },
    content: utf8('Task,Due', 'Order one,03/04/2027', 'Order two,05/06/2027'),
    rows: [
      { title: 'Order one', dueOn: '2027-03-04' },
      { title: 'Order two', dueOn: '2027-05-06' },
    ],
  },
  {
    ...{ title: 'yes and no in four languages', name: 'janein.csv', of: 'customers' },
    answers: { columns: { VIP: { field: 'own.vip' } } },
    content: utf8(
      'Name;VIP',
      ...['ja', 'Yes', 'oui', 'SÍ', 'x', '1', 'TRUE', 'wahr'].map((word) => `True ${word};${word}`),
      ...['nein', 'No', 'non', '0', 'FALSE', 'falsch'].map((word) => `False ${word};${word}`),
      'Perhaps;vielleicht',
    ),
    rows: [
      ...['ja', 'Yes', 'oui', 'SÍ', 'x', '1', 'TRUE', 'wahr'].map((word) => ({
        name: `True ${word}`,
        own: { vip: true },
      })),
      ...['nein', 'No', 'non', '0', 'FALSE', 'falsch'].map((word) => ({ name: `False ${word}`, own: { vip: false } })),
    ],
    refused: [[16, 'type']],
  },
  {
    ...{ title: 'people in five spellings', name: 'leute.csv', of: 'deals' },
    answers: { values: { Zuständig: { 'B. Ö.': { owner: 'bert' } } } },
    content: utf8(
      'Titel;Betrag;Zuständig',
      ...['bert', 'Bert Öztürk', '"Öztürk, Bert"', 'bert@example.com', 'BERT ÖZTÜRK (bert@example.com)', 'B. Ö.'].map(
        (who, at) => `Person ${at};1;${who}`,
      ),
      'Person nobody;1;Karla',
    ),
    rows: [...[0, 1, 2, 3, 4, 5].map((at) => ({ name: `Person ${at}`, owner: 'bert' }))],
    refused: [[8, 'not-found']],
  },
  {
    ...{ title: 'customers that are not there yet', name: 'neu.csv', of: 'deals', answers: { create: 'missing' } },
    content: utf8('Titel;Betrag;Firma', 'Made one;1;Neu GmbH', 'Made two;2;Neu GmbH', 'Made three;3;Gerda Blum'),
    rows: [
      { name: 'Made one', customer: 'Neu GmbH' },
      { name: 'Made two', customer: 'Neu GmbH' },
      { name: 'Made three', customer: 'Gerda Blum' },
    ],
  },
  {
    ...{ title: 'phases of one’s own, matched or left empty', name: 'phasen.csv', of: 'deals' },
    answers: { values: { Phase: { 'Ganz heiß': { stage: 'negotiation' }, 'k. A.': null } } },
    content: utf8('Titel;Betrag;Phase', 'Phase one;1;Ganz heiß', 'Phase two;1;k. A.', 'Phase three;1;Unsinn'),
    rows: [
      { name: 'Phase one', stage: 'negotiation' },
      { name: 'Phase two', stage: 'lead' },
    ],
    refused: [[4, 'not-one-of']],
  },
]
