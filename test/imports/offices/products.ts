import { type OfficeFile, text, utf8, western } from './office-file.ts'

const list = (...cells: readonly string[]): string => cells.map((cell) => `"${cell}"`).join(',')

/** What other products export: their headings and words as their makers document them. */
export const products: readonly OfficeFile[] = [
  {
    ...{ title: 'deals of Pipedrive', name: 'deals-1234567-89.csv', of: 'deals' },
    content: utf8(
      'Deal - ID,Deal - Title,Deal - Value,Deal - Currency of Value,Deal - Organization,Deal - Contact person,Deal - Pipeline,Deal - Stage,Deal - Status,Deal - Expected close date,Deal - Won time,Deal - Lost reason,Deal - Owner',
      '11,Pipe one,12500,EUR,Blum AG,Gerda Blum,Pipeline,Lead In,Open,2026-12-31,,,Bert Öztürk',
      '12,Pipe two,800.5,CHF,,,Pipeline,Proposal Made,Won,2026-11-01,2026-11-02 10:11:12,,',
      '13,Pipe three,99,EUR,,,Pipeline,Negotiations Started,Lost,,,Too dear,Bert Öztürk',
      '14,Pipe four,99,EUR,,,Pipeline,Demo Scheduled,Lost,,,,',
    ),
    rows: [
      {
        ...{ reference: '11', name: 'Pipe one', price: 12_500, stage: 'lead', status: 'open', owner: 'bert' },
        ...{ customer: 'Gerda Blum', completionDate: '2026-12-31', pipeline: 'sales' },
      },
      {
        reference: '12',
        price: 800.5,
        currency: 'CHF',
        stage: 'proposal',
        status: 'completed',
        completedOn: '2026-11-02',
      },
      { reference: '13', stage: 'negotiation', status: 'cancelled', closingReason: 'Too dear' },
    ],
    refused: [[5, 'required']],
  },
  {
    ...{ title: 'people of Pipedrive', name: 'people-1234567-90.csv', of: 'customers' },
    content: utf8(
      'Person - Name,Person - Label,Person - Organization,Person - Email - Work,Person - Email - Home,Person - Phone - Work,Person - Phone - Mobile,Person - Owner,Person - ID',
      'Pia Pipe,Hot lead,Pipe AG,pia@example.com,,+49 30 1,,Bert Öztürk,5',
    ),
    rows: [{ reference: '5', name: 'Pia Pipe', company: 'Pipe AG', email: 'pia@example.com', phone: '+49 30 1' }],
  },
  {
    ...{ title: 'deals of HubSpot', name: 'hubspot-crm-exports-all-deals-2026-11-01.csv', of: 'deals' },
    answers: { defaults: { closingReason: 'not told' } },
    content: utf8(
      list(
        'Record ID',
        'Deal Name',
        'Deal Stage',
        'Close Date',
        'Deal owner',
        'Amount',
        'Pipeline',
        'Associated Contact',
      ),
      list(
        '901',
        'Hub one',
        'Appointment Scheduled',
        '2026-12-31 14:30',
        'Bert Öztürk',
        '1234.5',
        'Sales Pipeline',
        'gerda.blum@example.de',
      ),
      list('902', 'Hub two', 'Closed Won', '2026-11-01 09:00', 'bert@example.com', '50', 'Sales Pipeline', ''),
      list('903', 'Hub three', 'Closed Lost', '', '', '0', 'Sales Pipeline', ''),
      list('904', 'Hub four', 'Decision Maker Bought-In (Sales Pipeline)', '', '', '7', 'Sales Pipeline', ''),
      list('905', 'Hub five', 'contractsent', '', '', '8', 'default', ''),
    ),
    rows: [
      {
        ...{ reference: '901', name: 'Hub one', stage: 'lead', price: 1234.5, completionDate: '2026-12-31' },
        ...{ owner: 'bert', customer: 'Gerda Blum', pipeline: 'sales' },
      },
      { reference: '902', status: 'completed', owner: 'bert', price: 50 },
      { reference: '903', status: 'cancelled', closingReason: 'not told', price: 0 },
      { reference: '904', stage: 'negotiation', status: 'open' },
      { reference: '905', stage: 'contract', status: 'open' },
    ],
  },
  {
    ...{ title: 'contacts of HubSpot', name: 'hubspot-crm-exports-all-contacts.csv', of: 'customers' },
    content: utf8(
      list(
        'Record ID',
        'First Name',
        'Last Name',
        'Email',
        'Phone Number',
        'Contact owner',
        'Country/Region',
        'Company Name',
      ),
      list('71', 'Hugo', 'Hub', 'hugo@example.com', '+1 617 555 0100', 'Bert Öztürk', 'United States', 'Hub Inc'),
    ),
    rows: [
      {
        ...{ reference: '71', name: 'Hugo Hub', email: 'hugo@example.com', phone: '+1 617 555 0100' },
        ...{ country: 'US', company: 'Hub Inc' },
      },
    ],
  },
  {
    ...{ title: 'opportunities of Salesforce', name: 'report1730000000.csv', of: 'deals' },
    content: western(
      list(
        'Opportunity ID',
        'Opportunity Name',
        'Account Name',
        'Amount',
        'Close Date',
        'Stage',
        'Opportunity Owner',
        'Type',
      ),
      list('006A1', 'Force one', 'Gerda Blum', 'USD 12,500.00', '12/31/2026', 'Prospecting', 'Bert Öztürk', 'New'),
      list('006A2', 'Force two – north', '', 'GBP 1,000.00', '1/5/2027', 'Id. Decision Makers', '', ''),
      list('006A3', 'Force three', '', 'USD 5.00', '1/15/2027', 'Proposal/Price Quote', '', ''),
      list('006A4', 'Force four', '', 'USD 6.00', '1/16/2027', 'Negotiation/Review', '', ''),
      list('006A5', 'Force five', '', 'USD 7.00', '1/17/2027', 'Closed Won', '', ''),
      list('006A6', 'Force six', '', 'USD 8.00', '1/18/2027', 'Perception Analysis', '', ''),
      list('Grand Totals (6 records)', '', '', 'USD 13,500.00', '', '', '', ''),
      '',
      '"Confidential Information - Do Not Distribute"',
    ),
    rows: [
      {
        ...{ reference: '006A1', name: 'Force one', price: 12_500, currency: 'USD', stage: 'lead', owner: 'bert' },
        ...{ customer: 'Gerda Blum', completionDate: '2026-12-31' },
      },
      { reference: '006A2', name: 'Force two – north', price: 1000, currency: 'GBP', stage: 'proposal' },
      { reference: '006A3', stage: 'proposal', completionDate: '2027-01-15' },
      { reference: '006A4', stage: 'negotiation' },
      { reference: '006A5', status: 'completed' },
      { reference: '006A6', stage: 'proposal' },
    ],
    refused: [
      [8, 'totals-row'],
      [10, 'uneven-row'],
    ],
  },
  {
    ...{ title: 'tasks of Salesforce', name: 'report1730000001.csv', of: 'tasks' },
    content: western(
      list('Activity ID', 'Subject', 'Due Date', 'Status', 'Assigned'),
      list('00T1', 'Call the plant', '12/31/2026', 'Not Started', 'Bert Öztürk'),
      list('00T2', 'Send the quote', '1/15/2027', 'Completed', ''),
      list('00T3', 'Wait for them', '', 'Waiting on someone else', ''),
    ),
    rows: [
      { reference: '00T1', title: 'Call the plant', dueOn: '2026-12-31', status: 'open' },
      { reference: '00T2', title: 'Send the quote', dueOn: '2027-01-15', status: 'done' },
      { reference: '00T3', title: 'Wait for them', status: 'open' },
    ],
  },
  {
    ...{ title: 'cards of Trello', name: 'board.csv', of: 'tasks' },
    content: utf8(
      'Card ID,Card Name,Card URL,Card Description,Labels,Members,Due Date,Start Date,List ID,List Name,Board ID,Board Name,Archived,Due Complete',
      '6543a,Print the flyer,https://example.com/c/a,"two sides\nA5",red,,2026-12-31T11:00:00.000Z,,1,To do,9,Work,false,false',
      '6543b,Book the hall,https://example.com/c/b,,,,,,2,Done,9,Work,false,true',
    ),
    rows: [
      { reference: '6543a', title: 'Print the flyer', note: 'two sides\nA5', dueOn: '2026-12-31', status: 'open' },
      { reference: '6543b', title: 'Book the hall', status: 'done' },
    ],
  },
  {
    ...{ title: 'a phone book of Outlook', name: 'contacts.csv', of: 'customers' },
    content: western(
      list(
        'First Name',
        'Middle Name',
        'Last Name',
        'Company',
        'Job Title',
        'E-mail Address',
        'Business Phone',
        'Business Country/Region',
      ),
      list('Olga', '', 'Outlook', 'Look AG', 'Chefin', 'olga@example.com', '+43 1 5', 'Österreich'),
    ),
    rows: [{ name: 'Olga Outlook', company: 'Look AG', email: 'olga@example.com', phone: '+43 1 5', country: 'AT' }],
  },
  {
    ...{ title: 'a phone book of Google', name: 'google.csv', of: 'customers' },
    content: utf8(
      'First Name,Middle Name,Last Name,Nickname,Organization Name,Organization Title,Notes,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - Country',
      'Gus,,Goog,,Goog KG,,,* myContacts,Work,gus@example.com,Mobile,+49 170 1,Germany',
    ),
    rows: [{ name: 'Gus Goog', company: 'Goog KG', email: 'gus@example.com', phone: '+49 170 1', country: 'DE' }],
  },
  {
    ...{ title: 'orders of a web shop', name: 'orders_export_1.csv', of: 'deals', answers: { create: 'missing' } },
    content: utf8(
      'Order ID,Name,Email,Financial Status,Currency,Subtotal,Total,Notes,Billing Name,Created at',
      '1001,Order 1001,gerda.blum@example.de,paid,CHF,1200.00,1250.00,ring twice,Gerda Blum,2026-11-03 10:22:33 +0100',
      '1002,Order 1002,,pending,EUR,9.90,9.90,,Nils Neu,2026-11-03 10:25:00 +0100',
    ),
    rows: [
      { reference: '1001', name: 'Order 1001', price: 1250, currency: 'CHF', description: 'ring twice' },
      { reference: '1002', name: 'Order 1002', price: 9.9, currency: 'EUR', customer: 'Nils Neu' },
    ],
  },
  {
    ...{ title: '20,000 customers', name: 'alle.csv', of: 'customers' },
    content: Buffer.from(
      text(
        'Kundennr.;Name;Land',
        ...Array.from({ length: 20_000 }, (_, at) => `L-${at};Large ${at};${at % 2 ? 'DE' : 'Suisse'}`),
      ),
    ),
    rows: [
      { reference: 'L-0', name: 'Large 0', country: 'CH' },
      { reference: 'L-19999', name: 'Large 19999', country: 'DE' },
    ],
  },
]
