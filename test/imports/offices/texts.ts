import { type OfficeFile, text, utf8, utf16, western } from './office-file.ts'

/** Texts, as spreadsheets, phones and old programs save them. */
export const texts: readonly OfficeFile[] = [
  {
    ...{ title: 'Windows-1252 and decimal commas', name: 'angebote.csv', of: 'deals' },
    content: western(
      'Titel;Betrag;Kunde;Abschluss geplant',
      'Küche „Süd“ – groß;31.559,00 €;Gerda Blum;15.03.27'.replaceAll(/[„“]/g, ''),
      'Text two;1.234,50;;31.12.2026',
    ),
    rows: [
      {
        name: 'Küche Süd – groß',
        price: 31_559,
        currency: 'EUR',
        customer: 'Gerda Blum',
        completionDate: '2027-03-15',
      },
      { name: 'Text two', price: 1234.5, completionDate: '2026-12-31' },
    ],
  },
  {
    ...{ title: 'UTF-16 with tabs', name: 'unicode.txt', of: 'customers' },
    content: utf16('Name\tOrt\tE-Mail\tLand', 'Łukasz Ωmega\tŁódź\tlukasz@example.pl\tPolen'),
    rows: [{ name: 'Łukasz Ωmega', email: 'lukasz@example.pl', country: 'PL' }],
  },
  {
    ...{ title: 'a first line sep=;', name: 'sep.csv', of: 'deals' },
    content: Buffer.from(`\ufeff${text('sep=;', 'Name;Betrag', 'Sep one, two;1,5')}`),
    rows: [{ name: 'Sep one, two', price: 1.5 }],
  },
  {
    ...{ title: 'broken quotes', name: 'quotes.csv', of: 'customers' },
    content: utf8(
      'Name,Company,Phone',
      '"Quote one","A ""B"" C",1',
      'Quote "two",X,2',
      '"Quote three,X,3',
      'Quote four,Y,4',
    ),
    rows: [
      { name: 'Quote one', company: 'A "B" C', phone: '1' },
      { name: 'Quote four', company: 'Y', phone: '4' },
    ],
    refused: [
      [3, 'quote-in-cell'],
      [4, 'quote-not-closed'],
    ],
  },
  {
    ...{ title: 'line ends inside cells', name: 'lines.csv', of: 'deals' },
    content: utf8('Title,Amount,Deal Description', '"Line one",5,"first\nsecond\r\nthird"', 'Line two,6,'),
    rows: [
      { name: 'Line one', price: 5, description: 'first\nsecond\r\nthird' },
      { name: 'Line two', price: 6, description: '' },
    ],
  },
  {
    ...{ title: 'lines that end with CR alone, and bars', name: 'mac.txt', of: 'customers' },
    content: Buffer.from('Name|Firma\rBar one|A\rBar two|B\r'),
    rows: [
      { name: 'Bar one', company: 'A' },
      { name: 'Bar two', company: 'B' },
    ],
  },
  {
    ...{ title: 'rows of another width', name: 'uneven.csv', of: 'customers' },
    content: utf8('Name;Firma;Telefon', 'Even one;A;1', 'Short;B', 'Long;C;3;4', 'Even two;D;2;;;'),
    rows: [
      { name: 'Even one', company: 'A' },
      { name: 'Even two', company: 'D' },
    ],
    refused: [
      [3, 'uneven-row'],
      [4, 'uneven-row'],
    ],
  },
  {
    ...{ title: 'a title, an empty line and a footer', name: 'report.csv', of: 'deals' },
    content: utf8(
      'Sales report',
      '',
      'Title;Amount;Close',
      'Foot one;5;2027-01-31',
      '',
      'Total;5;',
      'Printed on 1 November',
    ),
    rows: [{ name: 'Foot one', price: 5, completionDate: '2027-01-31' }],
    refused: [
      [6, 'totals-row'],
      [7, 'uneven-row'],
    ],
  },
  {
    ...{ title: 'doubled references', name: 'doppelt.csv', of: 'deals' },
    content: utf8('Nr;Titel;Betrag', 'D-1;Double one;1', 'D-2;Double two;2', 'D-1;Double three;3'),
    rows: [
      { reference: 'D-1', name: 'Double one', price: 1 },
      { reference: 'D-2', name: 'Double two', price: 2 },
    ],
    refused: [[4, 'repeated-reference']],
  },
  {
    ...{ title: 'errors and shortened numbers of a spreadsheet', name: 'kaputt.csv', of: 'customers' },
    content: utf8(
      'Name;Firma;Telefon',
      'Number one;A;4,91715550001E+11',
      'Number two;A;4,91716E+11',
      'Number three;#BEZUG!;030',
      '#NV;A;030',
    ),
    rows: [{ name: 'Number one', phone: '491715550001' }],
    refused: [
      [3, 'digits-lost'],
      [4, 'cell-error'],
      [5, 'cell-error'],
    ],
  },
  {
    ...{ title: 'a Spanish and a French list', name: 'negocios.csv', of: 'deals' },
    content: utf8(
      'Título;Importe;Moneda;Fase;Fecha prevista de cierre',
      'Lista uno;1.234,50;€;Propuesta;31/12/2026',
      'Lista dos;2.000,00;Franco suizo;Cliente potencial;15/01/2027',
    ),
    rows: [
      { name: 'Lista uno', price: 1234.5, currency: 'EUR', stage: 'proposal', completionDate: '2026-12-31' },
      { name: 'Lista dos', price: 2000, currency: 'CHF', stage: 'lead', completionDate: '2027-01-15' },
    ],
  },
]
