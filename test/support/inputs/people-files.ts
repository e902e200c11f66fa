import type { ColumnReading } from '../../../src/imports/cells/reading.ts'
import { spreadsheet } from './spreadsheet.ts'

/** A file as a tool exports it, and what a person reads in it. */
export interface PeopleFile {
  readonly tool: string
  readonly name: string
  readonly of: 'deals' | 'customers' | 'tasks'
  readonly content: Buffer
  /** What the file must ask, as column and subject, and what a person answers. */
  readonly asks?: readonly (readonly [column: string, about: keyof ColumnReading])[]
  readonly answers?: ColumnReading
  /** The rows that a person can read; a name of something else stands in braces. */
  readonly rows: readonly { readonly [field: string]: unknown }[]
  /** The lines that nobody reads as rows, each with its code. */
  readonly rejected?: readonly (readonly [line: number, code: string])[]
}

/** Windows-1252, as spreadsheets save CSV in the West. */
const western = (text: string): Buffer => Buffer.from(text.replaceAll('€', '\x80').replaceAll('–', '\x96'), 'latin1')
const rowsOf = (...rows: readonly string[]): string => `${rows.join('\r\n')}\r\n`

export const peopleFiles: readonly PeopleFile[] = [
  {
    tool: 'Excel in German',
    name: 'Angebote.csv',
    of: 'deals',
    content: western(
      rowsOf(
        'sep=;',
        'Auftragsnr.;Titel;Betrag;Kunde;Ansprechpartner;Phase;Abschluss;Zuständig;Bemerkung;Umsatzart',
        'A-0001;Küche „Süd”;31.559,00 €;Gerda Blum;Herr Stein;Angebot;15.03.27;bert;"Zwei Zeilen\nin einer Zelle";neu'
          .replaceAll(/[„”]/g, '"')
          .replace('Küche "Süd"', '"Küche ""Süd"""'),
        'A-0002;Reifen;1.234,50;gerda.blum@example.de;;VERHANDLUNG;31.12.2026;;;',
        ';;;;;;;;;',
        'A-0003;Türen;900 EUR;;;lead;1. Februar 2027;;;',
        'A-0004;Lampen;250,–;;;qualifiziert;01.07.69;;;',
        'Summe;;33.943,50 €;;;;;;;',
      ),
    ),
    rows: [
      {
        ...{ reference: 'A-0001', name: 'Küche "Süd"', price: 31_559_000, currency: 'EUR', stage: 'proposal' },
        ...{ customerId: '{Gerda Blum}', completionDate: '2027-03-15', owner: 'bert' },
        description: 'Zwei Zeilen\nin einer Zelle',
      },
      {
        reference: 'A-0002',
        price: 1_234_500,
        customerId: '{gerda.blum@example.de}',
        stage: 'negotiation',
        completionDate: '2026-12-31',
      },
      {
        reference: 'A-0003',
        price: 900_000,
        currency: 'EUR',
        stage: 'lead',
        completionDate: '2027-02-01',
        customerId: null,
      },
      { reference: 'A-0004', price: 250_000, stage: 'qualified', completionDate: '2069-07-01' },
    ],
    rejected: [[9, 'totals-row']],
  },
  {
    tool: 'Excel in English',
    name: 'Pipeline.csv',
    of: 'deals',
    content: Buffer.from(
      `\ufeff${rowsOf(
        'Deal ID,Title,Value,Customer,Stage,Expected close date,Owner',
        'E-1,Forklifts,"$5,000",Gerda Blum,Proposal,"Dec 31, 2026",Ada Byron',
        'E-2,Pallets,"$1,234.50",,QUALIFIED,"Jan 5, 2027",',
        ',,,,,,',
        'E-3,Crane,"$12,000",,contract,"Thu, March 4, 2027",',
      )}`,
    ),
    asks: [['Value', 'currency']],
    answers: { currency: 'USD' },
    rows: [
      {
        reference: 'E-1',
        name: 'Forklifts',
        price: 5_000_000,
        currency: 'USD',
        customerId: '{Gerda Blum}',
        stage: 'proposal',
        completionDate: '2026-12-31',
        owner: 'Ada Byron',
      },
      { reference: 'E-2', price: 1_234_500, currency: 'USD', stage: 'qualified', completionDate: '2027-01-05' },
      { reference: 'E-3', price: 12_000_000, currency: 'USD', stage: 'contract', completionDate: '2027-03-04' },
    ],
  },
  {
    tool: 'LibreOffice',
    name: 'Kunden.csv',
    of: 'customers',
    content: Buffer.from(
      rowsOf(
        '"Kunden-Nr."\t"Name"\t"E-Mail-Adresse"\t"Land"\t"Firma"\t"Mobil"\t"Bemerkung"',
        '"K-1"\t"Ilse Krämer"\t"ilse@example.de"\t"Deutschland"\t"Krämer & Söhne"\t"0171 / 55 50 000"\t"nett"',
        '"K-2"\t"Otto Wien"\t\t"Österreich"\t\t\t',
        '"K-3"\t"Ann Lee"\t\t"USA"\t\t\t',
        '"K-4"\t"Jon Ray"\t\t"uk"\t\t"+44 20 7946 0000"\t',
        '\t\t\t\t\t\t',
        '"K-5"\t"Uli Bär"\t\t"de"\t\t\t',
        '"K-6"\t"Luc Noir"\t\t"Suisse"\t\t\t',
        '"K-7"\t"Eva Sol"\t\t"ESPAÑA"\t\t\t',
      ),
    ),
    rows: [
      {
        name: 'Ilse Krämer',
        email: 'ilse@example.de',
        country: 'DE',
        company: 'Krämer & Söhne',
        phone: '0171 / 55 50 000',
      },
      ...[
        ['Otto Wien', 'AT'],
        ['Ann Lee', 'US'],
      ].map(([name, country]) => ({ name, country })),
      { name: 'Jon Ray', country: 'GB', phone: '+44 20 7946 0000' },
      ...[
        ['Uli Bär', 'DE'],
        ['Luc Noir', 'CH'],
        ['Eva Sol', 'ES'],
      ].map(([name, country]) => ({ name, country })),
    ],
  },
  {
    tool: 'Pipedrive',
    name: 'deals-1234-56.csv',
    of: 'deals',
    content: Buffer.from(
      rowsOf(
        'Deal - ID,Deal - Title,Deal - Organization,Deal - Contact person,Deal - Value,Deal - Currency,Deal - Stage,Deal - Status,Deal - Expected close date,Deal - Lost reason',
        '17,Roof,Blum AG,Gerda Blum,12500,EUR,Proposal,Open,2026-12-31,',
        '18,Lift,,,1200.5,CHF,Negotiation,Won,2026-11-01,',
        '19,Ramp,,,99,EUR,Lead,Lost,,Too dear',
      ),
    ),
    rows: [
      {
        reference: '17',
        name: 'Roof',
        price: 12_500_000,
        currency: 'EUR',
        stage: 'proposal',
        status: 'open',
        customerId: '{Gerda Blum}',
        completionDate: '2026-12-31',
      },
      { reference: '18', name: 'Lift', price: 1_200_500, currency: 'CHF', stage: 'negotiation', status: 'completed' },
      { reference: '19', name: 'Ramp', price: 99_000, stage: 'lead', status: 'cancelled', closingReason: 'Too dear' },
    ],
  },
  {
    tool: 'HubSpot',
    name: 'hubspot-crm-exports-all-deals.csv',
    of: 'deals',
    content: Buffer.from(
      rowsOf(
        '"Record ID","Deal Name","Deal Stage","Close Date","Deal owner","Amount","Associated Contact","Deal Currency"',
        '"9001","Kitchen","Proposal","2026-12-31 14:30","Ada Byron","1234.5","gerda.blum@example.de","EUR"',
        '"9002","Oven","Qualified","2027-01-15 09:00","","0","",""',
        '"9003","Sink","Contract","","","0.99","","US Dollar"',
      ),
    ),
    rows: [
      {
        reference: '9001',
        name: 'Kitchen',
        stage: 'proposal',
        completionDate: '2026-12-31',
        owner: 'Ada Byron',
        price: 1_234_500,
        customerId: '{gerda.blum@example.de}',
      },
      { reference: '9002', name: 'Oven', completionDate: '2027-01-15' },
      { reference: '9003', name: 'Sink', price: 990, currency: 'USD', stage: 'contract' },
    ],
  },
  {
    tool: 'Salesforce',
    name: 'report1636.csv',
    of: 'deals',
    content: western(
      rowsOf(
        '"Opportunity ID","Opportunity Name","Account Name","Amount","Close Date","Stage","Opportunity Owner"',
        '"006A1","Fleet renewal","Gerda Blum","USD 12,500.00","12/31/2026","Proposal","Ada Byron"',
        '"006A2","Depot – north","","GBP 1,000","1/5/2027","Negotiation","Ada Byron"',
        '"Grand Totals (2 records)","","","USD 13,500.00","","",""',
        '',
        '"Confidential Information - Do Not Distribute"',
        '"Copyright (c) 2000-2026 salesforce.com, inc. All rights reserved."',
      ),
    ),
    rows: [
      {
        reference: '006A1',
        name: 'Fleet renewal',
        customerId: '{Gerda Blum}',
        price: 12_500_000,
        currency: 'USD',
        completionDate: '2026-12-31',
      },
      {
        reference: '006A2',
        name: 'Depot – north',
        price: 1_000_000,
        currency: 'GBP',
        completionDate: '2027-01-05',
        stage: 'negotiation',
      },
    ],
    rejected: [
      [4, 'totals-row'],
      [6, 'uneven-row'],
      [7, 'uneven-row'],
    ],
  },
  {
    tool: 'a phone',
    name: 'contacts.csv',
    of: 'customers',
    content: Buffer.from(
      rowsOf(
        'First Name,Middle Name,Last Name,Nickname,Organization Name,Notes,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - Country',
        'Nora,,Quist,,Quist AB,,Work,nora@example.se,Mobile,+46 70 123 45 67,Sverige'.replace('Sverige', 'Schweden'),
        'Bo,J.,Lind,,,,,,,,',
        'Cher,,,,,,,,,,',
      ),
    ),
    rows: [
      { name: 'Nora Quist', company: 'Quist AB', email: 'nora@example.se', phone: '+46 70 123 45 67', country: 'SE' },
      { name: 'Bo J. Lind', company: null },
      { name: 'Cher' },
    ],
  },
  {
    tool: 'a web shop',
    name: 'orders_export.csv',
    of: 'deals',
    content: Buffer.from(
      rowsOf(
        'Order ID,Name,Email,Financial Status,Currency,Subtotal,Shipping,Taxes,Total,Notes,Billing Name,Created at',
        "501,Order 1001,gerda.blum@example.de,paid,CHF,1'200.00,0.00,50.00,1'250.00,ring twice,Gerda Blum,2026-11-03 10:22:33 +0100",
        '502,Order 1002,,paid,JPY,"50,000",0,0,"50,000",,,2026-11-03 10:25:00 +0100',
      ),
    ),
    rows: [
      {
        reference: '501',
        name: 'Order 1001',
        currency: 'CHF',
        price: 1_250_000,
        description: 'ring twice',
        customerId: '{Gerda Blum}',
      },
      { reference: '502', name: 'Order 1002', currency: 'JPY', price: 50_000_000 },
    ],
  },
  {
    tool: 'Excel, as a workbook',
    name: 'Projekte.xlsx',
    of: 'deals',
    content: spreadsheet([
      ['Offene Projekte', null, null],
      [],
      ['Projektnummer', 'Bezeichnung', 'Wert', 'Währung', 'Kunde', 'Stufe', 'Fällig am', 'Anmerkung'],
      ['P-1', 'Halle & Hof', 1234.5599999999999, '€', 'Gerda Blum', 'Angebot', { day: 46_387 }, 'erste\nzweite'],
      [null, null, null, null],
      [
        'P-2',
        { inline: 'Dach <neu>' },
        '2.500,00 EUR',
        null,
        null,
        'ANFRAGE'.replace('ANFRAGE', 'Lead'),
        { day: 46_388.75, style: 2 },
        30_555_005,
      ],
      ['P-3', 'Zaun', 42, 'US-Dollar', null, null, '31.12.2026', null],
    ]),
    rows: [
      {
        reference: 'P-1',
        name: 'Halle & Hof',
        price: 1_234_560,
        currency: 'EUR',
        customerId: '{Gerda Blum}',
        stage: 'proposal',
        completionDate: '2026-12-31',
        description: 'erste\nzweite',
      },
      {
        reference: 'P-2',
        name: 'Dach <neu>',
        price: 2_500_000,
        currency: 'EUR',
        stage: 'lead',
        completionDate: '2027-01-01',
        description: '30555005',
      },
      { reference: 'P-3', price: 42_000, currency: 'USD', completionDate: '2026-12-31' },
    ],
  },
  {
    tool: 'LibreOffice, as a workbook',
    name: 'Aufgaben.xlsx',
    of: 'tasks',
    content: spreadsheet(
      [
        ['Nr.', 'Task', 'Due', 'Verantwortlich', 'Erledigt', 'Kunde', 'Notiz'],
        [1, 'Anrufen', { day: 46_387 - 1462 }, 'bert', 'nein', 'Gerda Blum', null],
        [2, 'Schreiben', '1er janvier 2027', null, 'JA', null, 'mit Anhang'],
        [3, 'Messen', null, null, null, null, true],
      ],
      { is1904: true },
    ),
    rows: [
      {
        reference: '1',
        title: 'Anrufen',
        dueOn: '2026-12-31',
        assignee: 'bert',
        status: 'open',
        customerId: '{Gerda Blum}',
      },
      { reference: '2', title: 'Schreiben', dueOn: '2027-01-01', status: 'done', note: 'mit Anhang' },
      { reference: '3', title: 'Messen', dueOn: null, note: 'true' },
    ],
  },
]
