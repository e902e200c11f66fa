import { errorCell, formula, sheets, styled } from '../../support/inputs/sheets.ts'
import { type OfficeFile, serial } from './office-file.ts'

const day = (at: string) => styled('day', serial(at))

/** Workbooks, with all that people put around a table and into it. */
export const workbooks: readonly OfficeFile[] = [
  {
    ...{ title: 'a title, cover lines and totals', name: 'Pipeline Q4.xlsx', of: 'deals' },
    content: sheets({
      Pipeline: [
        ['Vertriebspipeline 4. Quartal'],
        ['Stand:', day('2026-11-01')],
        ['Erstellt von', 'Bert Öztürk', 'Vertrieb'],
        [],
        ['Bezeichnung', 'Gesamtpreis netto', 'Währung', 'Phase', 'Abschlussdatum', 'Kunde'],
        ['Book one', 1200.5, 'EUR', 'Angebot', day('2027-01-31'), 'Gerda Blum'],
        ['Book two', 80, 'CHF', 'Lead', day('2027-02-28'), null],
        [],
        ['Summe', 1280.5, null, null, null, null],
      ],
    }),
    rows: [
      {
        ...{ name: 'Book one', price: 1200.5, currency: 'EUR', stage: 'proposal', completionDate: '2027-01-31' },
        customer: 'Gerda Blum',
      },
      { name: 'Book two', price: 80, currency: 'CHF', stage: 'lead', completionDate: '2027-02-28' },
    ],
    refused: [[9, 'totals-row']],
  },
  {
    ...{ title: 'two rows of headings, the first merged', name: 'zwei.xlsx', of: 'deals' },
    content: sheets(
      {
        Liste: [
          ['Geschäft', null, 'Kunde', null],
          ['Titel', 'Betrag', 'Kunde', 'Telefon'],
          ['Two one', 10, 'Gerda Blum', '030 1'],
          ['Two two', 20, null, null],
        ],
      },
      { merged: ['A1:B1', 'C1:D1'] },
    ),
    rows: [
      { name: 'Two one', price: 10, customer: 'Gerda Blum' },
      { name: 'Two two', price: 20, customerId: null },
    ],
  },
  {
    ...{ title: 'a row of units below the headings', name: 'einheiten.xlsx', of: 'deals' },
    content: sheets({
      Liste: [
        ['Titel', 'Betrag', 'Abschluss'],
        [null, 'EUR', 'Tag'],
        ['Units one', 10, day('2027-01-31')],
      ],
    }),
    rows: [{ name: 'Units one', price: 10, completionDate: '2027-01-31' }],
    refused: [[2, 'malformed', 'malformed']],
  },
  {
    ...{ title: 'a cover and a list of words before the table', name: 'mappe.xlsx', of: 'deals' },
    content: sheets({
      Deckblatt: [['Projekte'], ['Nur intern']],
      Auswahl: [['Phasen'], ['Lead'], ['Angebot']],
      Projekte: [
        ['Projekt', 'Wert', 'Stufe'],
        ['Sheet one', 5, 'Lead'],
      ],
    }),
    rows: [{ name: 'Sheet one', price: 5, stage: 'lead' }],
  },
  {
    ...{ title: 'two sheets with a table', name: 'jahre.xlsx', of: 'deals', answers: { sheet: 'Neu' } },
    content: sheets({
      Alt: [
        ['Titel', 'Betrag'],
        ['Old one', 1],
      ],
      Neu: [
        ['Titel', 'Betrag'],
        ['New one', 2],
      ],
    }),
    rows: [{ name: 'New one', price: 2 }],
  },
  {
    ...{ title: 'a hidden sheet before the table', name: 'versteckt.xlsx', of: 'customers' },
    content: sheets(
      {
        Geheim: [
          ['Name', 'E-Mail'],
          ['Hidden', 'hidden@example.com'],
        ],
        Kunden: [
          ['Name', 'E-Mail'],
          ['Shown', 'shown@example.com'],
        ],
      },
      { hidden: ['Geheim'] },
    ),
    rows: [{ name: 'Shown', email: 'shown@example.com' }],
  },
  {
    ...{ title: 'formulas with their results', name: 'formeln.xlsx', of: 'deals' },
    content: sheets({
      Liste: [
        ['Titel', 'Betrag', 'Notiz'],
        [formula('"For"&"mula"', 'Formula'), formula('10*1.19', 11.9), formula('A2', '')],
      ],
    }),
    rows: [{ name: 'Formula', price: 11.9, description: '' }],
  },
  {
    ...{ title: 'formulas without results', name: 'ungerechnet.xlsx', of: 'deals' },
    content: sheets({
      Liste: [
        ['Titel', 'Betrag', 'Abschluss'],
        ['No result', formula('10*2'), null],
        ['No day', 5, formula('TODAY()')],
        ['Result', 5, null],
      ],
    }),
    rows: [{ name: 'Result', price: 5 }],
    refused: [
      [2, 'cell-without-value'],
      [3, 'cell-without-value'],
    ],
  },
  {
    ...{ title: 'error values', name: 'fehler.xlsx', of: 'deals' },
    content: sheets({
      Liste: [
        ['Titel', 'Betrag', 'Kunde'],
        [errorCell('#REF!'), 1, null],
        ['Error price', errorCell('#DIV/0!'), null],
        ['Error customer', 1, errorCell('#N/A')],
        ['Error none', 1, null],
      ],
    }),
    rows: [{ name: 'Error none', price: 1 }],
    refused: [
      [2, 'cell-error'],
      [3, 'cell-error'],
      [4, 'cell-error'],
    ],
  },
  {
    ...{ title: 'a customer merged over rows', name: 'verbunden.xlsx', of: 'deals' },
    content: sheets(
      {
        Liste: [
          ['Kunde', 'Titel', 'Betrag'],
          ['Gerda Blum', 'Merged one', 1],
          [null, 'Merged two', 2],
          [null, 'Merged three', 3],
        ],
      },
      { merged: ['A2:A3'] },
    ),
    rows: [
      { name: 'Merged one', customer: 'Gerda Blum' },
      { name: 'Merged two', customer: 'Gerda Blum' },
      { name: 'Merged three', customerId: null },
    ],
  },
  {
    ...{ title: 'days since 1904', name: 'mac.xlsx', of: 'deals' },
    content: sheets(
      {
        Liste: [
          ['Titel', 'Betrag', 'Abschluss'],
          ['Nineteen', 1, styled('day', serial('2027-03-31') - 1462)],
        ],
      },
      { is1904: true },
    ),
    rows: [{ name: 'Nineteen', completionDate: '2027-03-31' }],
  },
  {
    ...{ title: 'percent cells, and the sign in the heading', name: 'prozent.xlsx', of: 'deals' },
    answers: { columns: { 'Rabatt in %': { field: 'own.discount', unit: 1 } } },
    content: sheets({
      Liste: [
        ['Titel', 'Betrag', 'Rabatt in %'],
        ['Percent one', 1, styled('percent', 0.15)],
        ['Percent two', 1, 7.5],
        ['Percent three', 1, '10 %'],
        ['Percent four', styled('percent', 0.15), null],
      ],
    }),
    rows: [
      { name: 'Percent one', own: { discount: 15 } },
      { name: 'Percent two', own: { discount: 7.5 } },
      { name: 'Percent three', own: { discount: 10 } },
    ],
    refused: [[5, 'malformed']],
  },
  {
    ...{ title: 'truth values', name: 'erledigt.xlsx', of: 'tasks' },
    content: sheets({
      Aufgaben: [
        ['Aufgabe', 'Erledigt', 'Fällig'],
        ['Truth one', true, styled('time', serial('2027-01-31') + 0.375)],
        ['Truth two', 1, null],
        ['Truth three', 'x', null],
        ['Truth four', 'ja', null],
        ['Truth five', 'TRUE', null],
        ['Truth six', false, null],
        ['Truth seven', 0, null],
        ['Truth eight', 'vielleicht', null],
      ],
    }),
    rows: [
      { title: 'Truth one', status: 'done', dueOn: '2027-01-31' },
      ...['two', 'three', 'four', 'five'].map((name) => ({ title: `Truth ${name}`, status: 'done' })),
      ...['six', 'seven'].map((name) => ({ title: `Truth ${name}`, status: 'open' })),
    ],
    refused: [[9, 'not-one-of']],
  },
  {
    ...{ title: 'numbers of texts', name: 'nummern.xlsx', of: 'customers' },
    content: sheets({
      Kunden: [
        ['Kundennummer', 'Name', 'Telefon'],
        [styled('postcode', 42), 'Digits one', 491715550001],
        [10043, 'Digits two', '030 123'],
      ],
    }),
    rows: [
      { reference: '00042', name: 'Digits one', phone: '491715550001' },
      { reference: '10043', name: 'Digits two', phone: '030 123' },
    ],
  },
  {
    ...{ title: 'headings that only a person finds', name: 'tief.xlsx', of: 'deals', answers: { headings: 3 } },
    content: sheets({
      Liste: [
        ['Name', 'Betrag', 'Phase'],
        ['(so füllt man es aus)', 'Zahl', 'Wort'],
        ['Titel', 'Betrag', 'Phase'],
        ['Deep one', 3, 'Lead'],
      ],
    }),
    rows: [{ name: 'Deep one', price: 3, stage: 'lead' }],
  },
]
