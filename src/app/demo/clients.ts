// The clients of the practice: six kinds of business, each with what makes it special, and names for four of each kind.
import { AGENCY_OFFER, BUILDING_OFFER, COFFEE_OFFER, RESTAURANT_OFFER, SHOP_OFFER, SOFTWARE_OFFER, type Offer } from './offers.ts'
import type { Departments, NewLedger, TaxSetup } from './plan.ts'
import { agency, contractor, OPENING_CONTRACTS, restaurant, roaster, shop, software, type Trade } from './trades.ts'
import { OWN_LEDGERS, type Upkeep } from './upkeep.ts'

export type Identity = { name: string; owner: string; city: string; region: string; postal_code: string; timezone: string; street: string }

export type Kind = {
  industry: string
  entity_type: 'llc' | 'corporation'
  fiscal_year_start_month: number
  identities: readonly [Identity, Identity, Identity, Identity]
  ledgers: readonly NewLedger[]
  upkeep: Upkeep
  /** Balances of the first day beside those that every business has, in dollars, debit positive. */
  opening: readonly (readonly [string, number])[]
  /** What customers owed on the first day, in dollars. */
  receivable: number
  offer: Offer
  trade: Trade
  foreign: boolean
  tax: TaxSetup | null
  departments: Departments | null
  /** Ledger, then the values of function, cost_behavior, ebitda and board_line. */
  keys: readonly (readonly [string, string, string, string, string])[]
}

const PACIFIC = 'America/Los_Angeles'
const CENTRAL = 'America/Chicago'
const EASTERN = 'America/New_York'

function who(name: string, owner: string, street: string, city: string, region: string, postal_code: string, timezone: string): Identity {
  return { name, owner, street, city, region, postal_code, timezone }
}

const plain = { fiscal_year_start_month: 1, foreign: false, tax: null, departments: null, keys: [] } as const

const COFFEE: Kind = {
  ...plain,
  industry: 'manufacturing', entity_type: 'llc',
  identities: [
    who('Harbor Light Coffee Roasters', 'Maya Ortiz', '412 Wharf Street', 'Portland', 'OR', '97209', PACIFIC),
    who('Switchback Coffee', 'Theo Lindqvist', '88 Canyon Road', 'Bend', 'OR', '97701', PACIFIC),
    who('Blue Heron Roastery', 'Priya Nair', '19 Mill Lane', 'Eugene', 'OR', '97401', PACIFIC),
    who('Copperline Coffee', 'Sam Whitaker', '730 Foundry Avenue', 'Salem', 'OR', '97301', PACIFIC),
  ],
  ledgers: [
    ...OWN_LEDGERS,
    { number: '4006', name: 'Café Sales', type: 'income', subtype: 'revenue' },
    { number: '4007', name: 'Wholesale Sales', type: 'income', subtype: 'revenue' },
    { number: '4008', name: 'Shipping Charged', type: 'income', subtype: 'revenue' },
  ],
  trade: roaster,
  offer: COFFEE_OFFER,
  receivable: 27_840.55,
  opening: [['1220', 31_206.4], ['1800', 7_350]],
  upkeep: {
    cash: 68_000, savings: 25_000, capital: 60_000, pay: 'two_weeks', benefits: 2_380, advisor_fee: 685.5, income_tax: false,
    assets: [
      { ledger: '1570', cost: 148_400, years: 10, used: 3 }, { ledger: '1500', cost: 38_650, years: 7, used: 2 },
      { ledger: '1520', cost: 21_790, years: 7, used: 2 },
    ],
    purchases: [{ month: 8, ledger: '1570', what: 'Second afterburner, Probat', cost: 18_640, years: 8 }],
    loan: { lender: 'Columbia River Bank', balance: 96_400, rate: 0.0715, payment: 2_145.37 },
    landlord: 'Wharf Street Holdings', rent: 6_940, utilities: 1_420, internet: 214.8, insurance: 9_480,
    wages: [{ ledger: '6000', annual: 214_500 }, { ledger: '5240', annual: 96_400 }],
    subscriptions: [['Point-of-sale system', 169], ['Online shop platform', 299], ['Payroll service', 94.5], ['Roast logging', 59]],
    marketing: { ledger: '6300', vendors: ['Social ads', 'Farmers market stall', 'Local radio', 'Newsletter service'], monthly: 1_870, charges: 2 },
    card: [
      { ledger: '6200', vendors: ['Office Corner', 'Paper & Ink'], times: 2, about: 126 },
      { ledger: '6130', vendors: ['Grinder service', 'City Plumbing', 'Espresso Parts'], times: 1, about: 540 },
      { ledger: '6310', vendors: ['Team lunch', 'Cupping evening'], times: 1, about: 184 },
      { ledger: '6330', vendors: ['Fuel, delivery van', 'Van service'], times: 2, about: 132 },
    ],
  },
}

const SOFTWARE: Kind = {
  ...plain,
  industry: 'software', entity_type: 'corporation',
  identities: [
    who('Tallow & Pixel Software', 'Jonah Feldman', '1500 Market Street', 'San Francisco', 'CA', '94102', PACIFIC),
    who('Lantern Systems', 'Aisha Rahman', '27 Lake Avenue', 'Madison', 'WI', '53703', CENTRAL),
    who('Gridstone Apps', 'Henrik Dahl', '410 Spring Street', 'Seattle', 'WA', '98104', PACIFIC),
    who('Papercrane Software', 'Lucia Moretti', '9 Broad Street', 'Boston', 'MA', '02110', EASTERN),
  ],
  ledgers: OWN_LEDGERS,
  trade: software,
  offer: SOFTWARE_OFFER,
  receivable: 61_480.9,
  opening: [['2450', -OPENING_CONTRACTS], ['2400', -6_870.25]],
  upkeep: {
    cash: 246_000, savings: 180_000, capital: 220_000, pay: 'half_month', benefits: 11_240, advisor_fee: 1_240.8, income_tax: true,
    assets: [{ ledger: '1510', cost: 64_300, years: 4, used: 1 }, { ledger: '1520', cost: 28_900, years: 7, used: 3 }],
    purchases: [
      { month: 5, ledger: '1510', what: 'Laptops for the new team', cost: 13_870, years: 4 },
      { month: 17, ledger: '1510', what: 'Laptops, second batch', cost: 11_260, years: 4 },
    ],
    loan: null,
    landlord: 'Market Street Offices', rent: 8_650, utilities: 640, internet: 486.2, insurance: 12_960,
    wages: [{ ledger: '6031', annual: 548_000 }, { ledger: '6000', annual: 274_000 }],
    subscriptions: [
      ['Code hosting', 418], ['Team chat', 236.5], ['Mail and documents', 312], ['Customer database', 540], ['Payroll service', 148.2],
    ],
    marketing: { ledger: '6300', vendors: ['Search ads', 'Conference booth', 'Newsletter sponsorship', 'Podcast sponsorship'], monthly: 9_640, charges: 4 },
    card: [
      { ledger: '6320', vendors: ['Airline', 'Hotel', 'Train', 'Taxi'], times: 3, about: 612 },
      { ledger: '6310', vendors: ['Team dinner', 'Client lunch'], times: 2, about: 236 },
      { ledger: '6420', vendors: ['Course', 'Conference ticket'], times: 1, about: 340 },
      { ledger: '6200', vendors: ['Office supplies', 'Coffee and snacks'], times: 2, about: 188 },
    ],
  },
  keys: [
    ['4000', 'revenue', 'variable', 'operating', 'revenue'], ['4040', 'revenue', 'variable', 'operating', 'revenue'],
    ['4051', 'revenue', 'variable', 'operating', 'revenue'], ['4910', 'other', 'fixed', 'interest', 'financing'],
    ['5210', 'cost_of_sales', 'variable', 'operating', 'cost_of_revenue'], ['5220', 'cost_of_sales', 'semi_variable', 'operating', 'cost_of_revenue'],
    ['5230', 'cost_of_sales', 'variable', 'operating', 'cost_of_revenue'], ['6510', 'cost_of_sales', 'variable', 'operating', 'cost_of_revenue'],
    ['6000', 'general_and_administrative', 'fixed', 'operating', 'people'], ['6010', 'general_and_administrative', 'fixed', 'operating', 'people'],
    ['6020', 'general_and_administrative', 'fixed', 'operating', 'people'], ['6031', 'research_and_development', 'fixed', 'operating', 'people'],
    ['6032', 'sales_and_marketing', 'variable', 'operating', 'people'], ['6050', 'research_and_development', 'semi_variable', 'operating', 'people'],
    ['6100', 'general_and_administrative', 'fixed', 'operating', 'facilities'], ['6110', 'general_and_administrative', 'fixed', 'operating', 'facilities'],
    ['6120', 'general_and_administrative', 'fixed', 'operating', 'facilities'], ['6140', 'general_and_administrative', 'fixed', 'operating', 'other_operating'],
    ['6220', 'research_and_development', 'semi_variable', 'operating', 'technology'], ['6260', 'research_and_development', 'fixed', 'operating', 'technology'],
    ['6600', 'general_and_administrative', 'variable', 'operating', 'other_operating'],
    ['6300', 'sales_and_marketing', 'semi_variable', 'operating', 'sales_and_marketing'],
    ['6320', 'sales_and_marketing', 'semi_variable', 'operating', 'sales_and_marketing'],
    ['6400', 'general_and_administrative', 'fixed', 'operating', 'professional_fees'], ['6700', 'other', 'fixed', 'depreciation', 'other_operating'],
    ['6900', 'other', 'variable', 'taxes', 'taxes'],
  ],
}

const BUILDING: Kind = {
  ...plain,
  industry: 'construction', entity_type: 'corporation', fiscal_year_start_month: 7,
  identities: [
    who('Granite Ridge Builders', 'Frank Delaney', '2200 Quarry Road', 'Concord', 'NH', '03301', EASTERN),
    who('Lakeshore Construction', 'Ines Carvalho', '61 Harbor Drive', 'Duluth', 'MN', '55802', CENTRAL),
    who('Timber & Stone Contractors', 'Walt Jurgens', '905 County Road 4', 'Eau Claire', 'WI', '54701', CENTRAL),
    who('Keystone Home Builders', 'Renee Albright', '340 Railroad Street', 'Lancaster', 'PA', '17602', EASTERN),
  ],
  ledgers: OWN_LEDGERS,
  trade: contractor,
  offer: BUILDING_OFFER,
  receivable: 214_920.35,
  opening: [['1120', 86_410.8]],
  upkeep: {
    cash: 460_000, savings: 90_000, capital: 310_000, pay: 'two_weeks', benefits: 6_870, advisor_fee: 1_465.25, income_tax: true,
    assets: [
      { ledger: '1550', cost: 386_500, years: 8, used: 3 }, { ledger: '1530', cost: 214_800, years: 6, used: 2 },
      { ledger: '1500', cost: 62_400, years: 5, used: 2 },
    ],
    purchases: [
      { month: 4, ledger: '1530', what: 'Pickup truck', cost: 52_380, years: 6 },
      { month: 16, ledger: '1550', what: 'Skid steer loader', cost: 61_940, years: 8 },
    ],
    loan: { lender: 'Merrimack Equipment Finance', balance: 268_000, rate: 0.0785, payment: 6_120.44 },
    landlord: 'Quarry Road Yard', rent: 5_480, utilities: 980, internet: 298.4, insurance: 41_300,
    wages: [{ ledger: '6000', annual: 386_000 }],
    subscriptions: [['Estimating software', 389], ['Project planning', 275], ['Payroll service', 162.3]],
    marketing: { ledger: '6300', vendors: ['Yard signs', 'Trade directory', 'Search ads'], monthly: 1_260, charges: 2 },
    card: [
      { ledger: '6130', vendors: ['Tool repair', 'Equipment parts', 'Tire shop'], times: 2, about: 820 },
      { ledger: '6330', vendors: ['Truck service', 'Registration', 'Car wash'], times: 1, about: 540 },
      { ledger: '6310', vendors: ['Crew lunch', 'Client lunch'], times: 2, about: 124 },
      { ledger: '6200', vendors: ['Office supplies', 'Plan printing'], times: 2, about: 166 },
      { ledger: '6410', vendors: ['City licence', 'State registration'], times: 1, about: 165 },
    ],
  },
}

const RESTAURANT: Kind = {
  ...plain,
  industry: 'restaurant', entity_type: 'llc',
  identities: [
    who('Copper Spoon Kitchen', 'Elena Vasquez', '1814 South Congress Avenue', 'Austin', 'TX', '78704', CENTRAL),
    who('The Long Table', 'Marcus Bell', '500 East Sixth Street', 'Austin', 'TX', '78701', CENTRAL),
    who('Mesquite & Rye', 'Tomas Rivera', '77 Rainey Street', 'Austin', 'TX', '78701', CENTRAL),
    who('Saltgrass Social', 'Naomi Park', '2300 Manor Road', 'Austin', 'TX', '78722', CENTRAL),
  ],
  ledgers: [...OWN_LEDGERS, { number: '2210', name: 'Sales Tax, Texas Comptroller', type: 'liability', subtype: 'sales_tax' }],
  trade: restaurant,
  offer: RESTAURANT_OFFER,
  receivable: 0,
  opening: [['1061', 1_240.5], ['2210', -9_318.42], ['2310', -2_046.77], ['1800', 11_450]],
  upkeep: {
    cash: 84_000, savings: 30_000, capital: 75_000, pay: 'two_weeks', benefits: 2_940, advisor_fee: 795.75, income_tax: false,
    assets: [
      { ledger: '1560', cost: 174_200, years: 8, used: 3 }, { ledger: '1540', cost: 132_600, years: 12, used: 3 },
      { ledger: '1520', cost: 48_350, years: 7, used: 3 },
    ],
    purchases: [{ month: 10, ledger: '1560', what: 'Combi oven', cost: 16_485, years: 8 }],
    loan: { lender: 'Hill Country Savings', balance: 124_500, rate: 0.0765, payment: 2_610.18 },
    landlord: 'Congress Avenue Properties', rent: 9_850, utilities: 2_640, internet: 189.6, insurance: 14_620,
    wages: [{ ledger: '6030', annual: 448_000 }, { ledger: '6000', annual: 118_000 }],
    subscriptions: [['Point-of-sale system', 245], ['Reservations', 299], ['Payroll service', 138.7]],
    marketing: { ledger: '6300', vendors: ['Social ads', 'City magazine', 'Food photographer'], monthly: 1_540, charges: 3 },
    card: [
      { ledger: '6130', vendors: ['Hood cleaning', 'Refrigeration service', 'Plumber'], times: 2, about: 385 },
      { ledger: '6200', vendors: ['Restaurant supply', 'Menus printed'], times: 3, about: 132 },
      { ledger: '6410', vendors: ['Health permit', 'Liquor licence'], times: 1, about: 210 },
    ],
  },
  tax: {
    agency: { name: 'Texas Comptroller', country: 'US', region: 'Texas', filing_frequency: 'quarterly', due_day: 20, registration_number: '3-20418-5577-1' },
    payable_ledger: '2210',
    rates: [{ name: 'Texas', percent: '6.25' }, { name: 'Austin', percent: '1.00' }, { name: 'Capital Metro', percent: '1.00' }],
    group: 'Austin, state and local',
    code: { code: 'AUSTIN', name: 'Sales in Austin' },
  },
}

const SHOP: Kind = {
  ...plain,
  industry: 'ecommerce', entity_type: 'llc', foreign: true,
  identities: [
    who('Fernweh Outfitters', 'Clara Hoffmann', '64 Depot Street', 'Burlington', 'VT', '05401', EASTERN),
    who('Pebble & Pine', 'Owen McRae', '12 Canal Street', 'Providence', 'RI', '02903', EASTERN),
    who('Kitebird Toys', 'Hanna Sorensen', '305 Main Street', 'Ithaca', 'NY', '14850', EASTERN),
    who('Wool & Weather', 'Grace Obi', '8 Old Mill Road', 'Brattleboro', 'VT', '05301', EASTERN),
  ],
  ledgers: [
    ...OWN_LEDGERS,
    { number: '1020', name: 'Canadian Dollar Account', type: 'asset', subtype: 'bank', currency: 'CAD', bank_name: 'Laurentian Commerce' },
    { number: '1030', name: 'Euro Account', type: 'asset', subtype: 'bank', currency: 'EUR', bank_name: 'Rheinbank' },
  ],
  trade: shop,
  offer: SHOP_OFFER,
  receivable: 0,
  opening: [['1210', 78_640.15]],
  upkeep: {
    cash: 96_000, savings: 40_000, capital: 110_000, pay: 'half_month', benefits: 1_870, advisor_fee: 742.4, income_tax: false,
    assets: [{ ledger: '1500', cost: 42_700, years: 6, used: 2 }, { ledger: '1510', cost: 18_240, years: 4, used: 1 }],
    purchases: [{ month: 13, ledger: '1500', what: 'Packing line', cost: 12_745, years: 7 }],
    loan: { lender: 'Green Mountain Bank', balance: 58_000, rate: 0.0695, payment: 1_480.9 },
    landlord: 'Depot Street Lofts', rent: 3_960, utilities: 520, internet: 164.3, insurance: 6_240,
    wages: [{ ledger: '6000', annual: 186_000 }],
    subscriptions: [['Online shop platform', 399], ['Mail campaigns', 186], ['Inventory sync', 149], ['Customer chat', 98.5]],
    marketing: { ledger: '6300', vendors: ['Creator partnership', 'Catalogue printing', 'Affiliate network'], monthly: 1_720, charges: 3 },
    card: [
      { ledger: '6200', vendors: ['Packing tape and labels', 'Office supplies'], times: 2, about: 186 },
      { ledger: '6320', vendors: ['Trade fair, travel', 'Hotel'], times: 1, about: 480 },
      { ledger: '6210', vendors: ['Returns postage', 'Samples shipped'], times: 2, about: 112 },
    ],
  },
}

const AGENCY: Kind = {
  ...plain,
  industry: 'professional_services', entity_type: 'llc',
  identities: [
    who('Juniper & Vale Design', 'Noor Haddad', '233 North Loop', 'Minneapolis', 'MN', '55401', CENTRAL),
    who('Second Draft Studio', 'Ben Aldous', '18 Orchard Street', 'New Haven', 'CT', '06510', EASTERN),
    who('Foxglove Creative', 'Mina Castellan', '700 Pine Street', 'Denver', 'CO', '80203', 'America/Denver'),
    who('Ninth Letter Agency', 'Amara Osei', '55 Peachtree Walk', 'Atlanta', 'GA', '30309', EASTERN),
  ],
  ledgers: OWN_LEDGERS,
  trade: agency,
  offer: AGENCY_OFFER,
  receivable: 88_310.6,
  opening: [['1800', 6_200]],
  upkeep: {
    cash: 132_000, savings: 55_000, capital: 80_000, pay: 'half_month', benefits: 5_460, advisor_fee: 918.3, income_tax: false,
    assets: [{ ledger: '1510', cost: 46_800, years: 4, used: 2 }, { ledger: '1520', cost: 33_150, years: 7, used: 2 }],
    purchases: [
      { month: 6, ledger: '1510', what: 'Edit workstation', cost: 8_914, years: 4 },
      { month: 19, ledger: '1520', what: 'Studio furniture', cost: 7_330, years: 7 },
    ],
    loan: null,
    landlord: 'North Loop Workspaces', rent: 5_870, utilities: 460, internet: 238.9, insurance: 5_720,
    wages: [
      { ledger: '6000', annual: 148_000, department: 'BRAND' }, { ledger: '6000', annual: 203_000, department: 'DIGITAL' },
      { ledger: '6000', annual: 96_000, department: 'MOTION' }, { ledger: '6000', annual: 108_000, department: 'OPS' },
    ],
    subscriptions: [['Design tools', 486], ['Stock images', 199], ['Project planning', 156], ['Payroll service', 112.6]],
    marketing: { ledger: '6300', vendors: ['Award entry', 'Portfolio site', 'Trade magazine'], monthly: 1_380, charges: 2 },
    card: [
      { ledger: '6310', vendors: ['Client lunch', 'Team breakfast'], times: 3, about: 132 },
      { ledger: '6320', vendors: ['Airline', 'Hotel', 'Taxi'], times: 2, about: 346 },
      { ledger: '6430', vendors: ['Design association', 'Chamber of commerce'], times: 1, about: 95 },
    ],
  },
  departments: {
    key: 'department', name: 'Department', overhead: 'OPS',
    values: [{ code: 'BRAND', name: 'Brand' }, { code: 'DIGITAL', name: 'Digital' }, { code: 'MOTION', name: 'Motion' }, { code: 'OPS', name: 'Operations' }],
  },
}

export const KINDS: readonly [Kind, ...Kind[]] = [COFFEE, SOFTWARE, BUILDING, RESTAURANT, SHOP, AGENCY]

export const MOST_CLIENTS = KINDS.length * COFFEE.identities.length
