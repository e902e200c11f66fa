/** Goods with plausible prices. */
export interface Goods {
  readonly name: string
  readonly price: number
  readonly description: string
}

export const goods: readonly Goods[] = [
  {
    name: 'Forty espresso machines',
    price: 51_800,
    description: 'Two groups each, delivery in spring, a year of care included.',
  },
  { name: 'Roof of the south hall', price: 129_999.95, description: 'New trusses and 1,200 m² of standing seam.' },
  {
    name: 'Fleet of twelve cargo bikes',
    price: 68_400,
    description: 'With boxes, locks and a spare battery for each.',
  },
  {
    name: 'Office in the Speicherstadt, fit-out',
    price: 214_500,
    description: 'Walls, light and acoustics for 60 places.',
  },
  { name: 'Solar field, 2 MW', price: 1_480_000, description: 'Ground mounted, grid connection by the customer.' },
  {
    name: 'Fenêtres pour le lycée Jean-Moulin',
    price: 86_250,
    description: '148 fenêtres, triple vitrage, pose en été.',
  },
  { name: 'Winter tyres, 300 sets', price: 97_350.5, description: 'Stored until October, fitted at three places.' },
  { name: 'Bakery line', price: 342_900, description: 'Dough divider, proofer and a deck oven.' },
  { name: 'Maintenance of nine lifts', price: 41_040, description: 'Three years, answer within four hours.' },
  { name: 'Menu tablets', price: 12_780, description: '90 tablets with stands and a charging trolley.' },
  {
    name: 'Harbour crane, overhaul',
    price: 455_000,
    description: 'Slewing ring, cables and paint; four weeks in dock.',
  },
  { name: 'Klassenzimmer-Beamer', price: 28_600, description: '44 Geräte, Montage in den Herbstferien.' },
  { name: 'Cold store doors', price: 19_990, description: 'Six sliding doors, −25 °C.' },
  { name: 'Vineyard irrigation', price: 73_200, description: 'Drip lines for 18 ha, sensors in every row.' },
  { name: 'Library shelving', price: 33_475.25, description: 'Oak, 640 m, with ladders.' },
  { name: 'Data centre move', price: 264_000, description: 'Eleven racks over two weekends.' },
  { name: 'Orchestra risers', price: 22_140, description: 'For 84 musicians, stackable.' },
  { name: 'Water treatment pilot', price: 187_300, description: 'Container plant, half a year of operation.' },
  { name: 'Tramway benches', price: 15_660, description: '108 benches, larch and cast iron.' },
  { name: 'Museum lighting', price: 118_750, description: 'Track spots with 98 CRI for seven rooms.' },
  { name: 'Meeting rooms in Kyoto', price: 39_800, description: '会議室六室、防音と映像設備。' },
  { name: 'Hospital beds', price: 156_480, description: '96 beds with mattresses, training included.' },
  { name: 'Brewery labels', price: 8_450, description: '1.2 million labels in four designs.' },
  { name: 'Ski lift cable', price: 233_600, description: '3,400 m, splicing on site before December.' },
  { name: 'Playground Nordpark', price: 64_900, description: 'Robinia climbing forest and two slides.' },
  { name: 'Call centre licences', price: 27_360, description: '60 places, two years.' },
  { name: 'Greenhouse glass', price: 142_080, description: '5,900 m² of diffuse glass.' },
  { name: 'Theatre curtain', price: 18_325, description: 'Fire-proof velvet, 14 × 9 m.' },
  { name: 'Airport signage', price: 91_700, description: '310 signs in four languages.' },
  { name: 'Sawmill blades', price: 6_890, description: 'Yearly demand, monthly delivery.' },
]

/** Contracts that are renewed every year. */
export const contracts: readonly string[] = [
  ...['Maintenance of nine lifts', 'Call centre licences', 'Crane inspection', 'Care of the espresso machines'],
  ...[
    'Tyre storage',
    'Cleaning of the solar field',
    'Hosting of eleven racks',
    'Water testing',
    'Service of the bikes',
  ],
  ...['Oven maintenance', 'Tablet insurance', 'Cold store monitoring', 'Museum lamps', 'Bed maintenance'],
  ...['Label design', 'Cable inspection', 'Playground inspection', 'Sharpening of saw blades'],
]

export const owners: readonly string[] = ['Mila Sanz', 'Jonas Weber', 'Aino Virtanen', 'Omar Haddad', 'Chloé Moreau']
