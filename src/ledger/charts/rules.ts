// The default charts of accounts: one that fits most businesses, and what each industry calls differently or has besides. A number means
// one thing in all of them, so that a chart can be laid over another.
import type { LedgerRole, LedgerRow, LedgerType, Subtype } from '../ledgers/contract.ts'

export type TemplateLedger = { number: string; name: string; type: LedgerType; subtype: Subtype; role: LedgerRole | null; is_bank: boolean }
export type Template = { key: Industry; name: string; description: string; ledgers: TemplateLedger[] }

/** Number, name and subtype; then the role, or `bank` for what has statements. */
type Line = readonly [string, string, Subtype, (LedgerRole | 'bank')?]
type Lines = Readonly<Partial<Record<LedgerType, readonly Line[]>>>

const COMMON = {
  asset: [
    ['1000', 'Checking', 'bank', 'bank'],
    ['1010', 'Savings', 'bank', 'bank'],
    ['1050', 'Petty Cash', 'cash', 'bank'],
    ['1080', 'Undeposited Funds', 'cash', 'undeposited_funds'],
    ['1090', 'Card Payments Clearing', 'cash', 'processor_clearing'],
    ['1100', 'Accounts Receivable', 'accounts_receivable', 'accounts_receivable'],
    ['1200', 'Inventory', 'inventory', 'inventory'],
    ['1300', 'Prepaid Expenses', 'prepaid'],
    ['1310', 'Vendor Prepayments', 'other_current_asset', 'vendor_prepayments'],
    ['1320', 'Sales Tax Recoverable', 'other_current_asset', 'sales_tax_recoverable'],
    ['1330', 'Employee Advances', 'other_current_asset'],
    ['1390', 'Due from Affiliates', 'intercompany'],
    ['1500', 'Equipment', 'fixed_asset'],
    ['1510', 'Computers', 'fixed_asset'],
    ['1520', 'Furniture and Fixtures', 'fixed_asset'],
    ['1530', 'Vehicles', 'fixed_asset'],
    ['1540', 'Leasehold Improvements', 'fixed_asset'],
    ['1590', 'Accumulated Depreciation', 'accumulated_depreciation', 'accumulated_depreciation'],
    ['1700', 'Intangible Assets', 'intangible'],
    ['1800', 'Security Deposits', 'other_asset'],
  ],
  liability: [
    ['2000', 'Accounts Payable', 'accounts_payable', 'accounts_payable'],
    ['2050', 'Goods Received Not Invoiced', 'other_current_liability', 'goods_received_not_invoiced'],
    ['2100', 'Credit Card', 'credit_card', 'bank'],
    ['2150', 'Line of Credit', 'line_of_credit', 'bank'],
    ['2200', 'Sales Tax Payable', 'sales_tax', 'sales_tax_payable'],
    ['2300', 'Payroll Liabilities', 'payroll_liability'],
    ['2400', 'Accrued Expenses', 'other_current_liability'],
    ['2410', 'Income Tax Payable', 'other_current_liability'],
    ['2420', 'Customer Deposits', 'other_current_liability', 'customer_deposits'],
    ['2450', 'Deferred Revenue', 'deferred_revenue', 'deferred_revenue'],
    ['2490', 'Due to Affiliates', 'intercompany'],
    ['2500', 'Current Portion of Loans', 'current_loan'],
    ['2700', 'Long-Term Loans', 'long_term_loan'],
    ['2800', 'Other Long-Term Liabilities', 'long_term_liability'],
  ],
  equity: [
    ['3000', "Owner's Capital", 'capital'],
    ['3100', "Owner's Distributions", 'distribution'],
    ['3200', 'Other Equity', 'other_equity'],
    ['3800', 'Opening Balance Equity', 'opening_balance', 'opening_balance'],
    ['3900', 'Retained Earnings', 'retained_earnings', 'retained_earnings'],
  ],
  income: [
    ['4000', 'Sales', 'revenue', 'sales'],
    ['4800', 'Discounts Given', 'discount'],
    ['4900', 'Other Income', 'other_income'],
    ['4910', 'Interest Income', 'other_income'],
    ['4950', 'Realized Exchange Gains and Losses', 'other_income', 'realized_fx'],
    ['4960', 'Unrealized Exchange Gains and Losses', 'other_income', 'unrealized_fx'],
    ['4970', 'Gain or Loss on Disposal of Assets', 'disposal_gain_loss'],
    ['4990', 'Uncategorized Income', 'other_income', 'uncategorized_income'],
  ],
  expense: [
    ['5000', 'Cost of Goods Sold', 'cost_of_goods_sold', 'cost_of_goods_sold'],
    ['5800', 'Inventory Adjustments', 'cost_of_goods_sold', 'inventory_adjustment'],
    ['5900', 'Purchase Discounts', 'cost_of_goods_sold', 'purchase_discounts'],
    ['6000', 'Salaries and Wages', 'payroll'],
    ['6010', 'Payroll Taxes', 'payroll'],
    ['6020', 'Employee Benefits', 'payroll'],
    ['6050', 'Contractors', 'operating'],
    ['6100', 'Rent', 'operating'],
    ['6110', 'Utilities', 'operating'],
    ['6120', 'Telephone and Internet', 'operating'],
    ['6130', 'Repairs and Maintenance', 'operating'],
    ['6140', 'Insurance', 'operating'],
    ['6200', 'Office Supplies', 'operating'],
    ['6210', 'Postage and Shipping', 'operating'],
    ['6220', 'Software and Subscriptions', 'operating'],
    ['6230', 'Hosting', 'operating'],
    ['6300', 'Advertising and Marketing', 'operating'],
    ['6310', 'Meals', 'operating'],
    ['6320', 'Travel', 'operating'],
    ['6330', 'Vehicle Expenses', 'operating'],
    ['6400', 'Legal and Professional Fees', 'operating'],
    ['6410', 'Licenses and Permits', 'operating'],
    ['6420', 'Training', 'operating'],
    ['6430', 'Dues and Memberships', 'operating'],
    ['6500', 'Bank Fees', 'bank_fees'],
    ['6510', 'Payment Processing Fees', 'operating', 'processor_fees'],
    ['6600', 'Bad Debt', 'operating', 'bad_debt'],
    ['6700', 'Depreciation', 'depreciation', 'depreciation'],
    ['6800', 'Interest Expense', 'interest_expense'],
    ['6900', 'Income Tax', 'income_tax'],
    ['6950', 'Other Expenses', 'other_expense'],
    ['6980', 'Rounding Differences', 'other_expense', 'rounding'],
    ['6990', 'Uncategorized Expense', 'other_expense', 'uncategorized_expense'],
  ],
} as const satisfies Lines

/** `also`: other words that people use for the industry. `called`: what the common ledgers are called in it. */
type Variant = { name: string; description: string; also?: readonly string[]; called?: Readonly<Record<string, string>>; more?: Lines }

const VARIANTS = {
  general: { name: 'General', description: 'For any business: sales, the usual costs, and a ledger for each thing the service does by itself.' },
  retail: {
    name: 'Retail',
    description: 'Shops that sell goods over the counter.',
    also: ['shop', 'store', 'wholesale', 'retail_and_wholesale'],
    called: { 4000: 'Merchandise Sales' },
    more: {
      asset: [['1060', 'Cash Registers', 'cash', 'bank']],
      liability: [['2430', 'Gift Cards Outstanding', 'other_current_liability']],
      income: [['4810', 'Sales Returns', 'discount']],
      expense: [
        ['5100', 'Freight In', 'cost_of_goods_sold'], ['5110', 'Packaging', 'cost_of_goods_sold'], ['6240', 'Store Supplies', 'operating'],
        ['6520', 'Cash Over and Short', 'operating'],
      ],
    },
  },
  professional_services: {
    name: 'Professional services',
    description: 'Agencies, consultants, lawyers, accountants: time and expertise.',
    also: ['services', 'consulting', 'agency', 'legal', 'accounting', 'law_firm'],
    called: { 4000: 'Service Revenue', 5000: 'Cost of Services', 2420: 'Client Retainers' },
    more: {
      asset: [['1110', 'Unbilled Time and Expenses', 'other_current_asset']],
      income: [['4050', 'Retainer Revenue', 'revenue'], ['4060', 'Reimbursed Expenses', 'revenue']],
      expense: [
        ['5150', 'Subcontractors', 'cost_of_goods_sold'], ['5160', 'Reimbursable Client Expenses', 'cost_of_goods_sold'],
        ['6440', 'Professional Liability Insurance', 'operating'],
      ],
    },
  },
  construction: {
    name: 'Construction',
    description: 'Builders and trades that work by job.',
    also: ['contractor', 'trades', 'building'],
    called: { 4000: 'Construction Revenue', 5000: 'Materials', 1200: 'Materials Inventory' },
    more: {
      asset: [
        ['1120', 'Retainage Receivable', 'other_current_asset'], ['1130', 'Costs in Excess of Billings', 'other_current_asset'],
        ['1550', 'Heavy Equipment', 'fixed_asset'],
      ],
      liability: [['2060', 'Retainage Payable', 'other_current_liability'], ['2460', 'Billings in Excess of Costs', 'deferred_revenue']],
      income: [['4070', 'Change Order Revenue', 'revenue']],
      expense: [
        ['5170', 'Job Labor', 'cost_of_goods_sold'], ['5180', 'Job Subcontractors', 'cost_of_goods_sold'], ['5190', 'Equipment Rental', 'cost_of_goods_sold'],
        ['5200', 'Job Permits', 'cost_of_goods_sold'], ['6340', 'Fuel', 'operating'], ['6450', 'Bonding', 'operating'],
      ],
    },
  },
  restaurant: {
    name: 'Restaurant',
    description: 'Restaurants, cafés, bars and catering.',
    also: ['food_service', 'cafe', 'bar', 'hospitality', 'food_and_beverage', 'catering'],
    called: { 4000: 'Food Sales', 5000: 'Cost of Food', 1200: 'Food and Beverage Inventory' },
    more: {
      asset: [['1061', 'Till Cash', 'cash', 'bank'], ['1560', 'Kitchen Equipment', 'fixed_asset']],
      liability: [['2310', 'Tips Payable', 'payroll_liability'], ['2431', 'Gift Certificates Outstanding', 'other_current_liability']],
      income: [['4010', 'Beverage Sales', 'revenue'], ['4020', 'Catering Sales', 'revenue'], ['4820', 'Comps and Voids', 'discount']],
      expense: [
        ['5010', 'Cost of Beverages', 'cost_of_goods_sold'], ['5120', 'Paper and Disposables', 'cost_of_goods_sold'],
        ['6030', 'Kitchen and Service Wages', 'payroll'],
        ['6150', 'Laundry and Linen', 'operating'], ['6350', 'Delivery Platform Fees', 'operating'],
      ],
    },
  },
  ecommerce: {
    name: 'E-commerce',
    description: 'Online shops and marketplace sellers.',
    also: ['e_commerce', 'online_store', 'online_retail', 'marketplace'],
    called: { 4000: 'Online Sales' },
    more: {
      asset: [['1210', 'Inventory at Fulfillment Centers', 'other_current_asset']],
      income: [['4030', 'Shipping Income', 'revenue'], ['4811', 'Returns and Refunds', 'discount']],
      expense: [
        ['5130', 'Shipping to Customers', 'cost_of_goods_sold'], ['5140', 'Fulfillment Fees', 'cost_of_goods_sold'],
        ['6250', 'Online Advertising', 'operating'],
        ['6360', 'Marketplace Fees', 'operating'], ['6370', 'Product Photography', 'operating'],
      ],
    },
  },
  nonprofit: {
    name: 'Nonprofit',
    description: 'Charities, associations and foundations.',
    also: ['non_profit', 'not_for_profit', 'charity', 'ngo', 'association', 'foundation'],
    called: {
      1100: 'Pledges and Accounts Receivable', 2420: 'Refundable Advances', 2450: 'Deferred Grants and Dues', 3000: 'Net Assets with Donor Restrictions',
      3100: 'Transfers to Affiliates', 3200: 'Board-Designated Net Assets', 3800: 'Opening Net Assets', 3900: 'Net Assets without Donor Restrictions',
      4000: 'Program Service Fees', 5000: 'Cost of Merchandise', 6300: 'Outreach and Publicity', 6600: 'Uncollectible Pledges',
    },
    more: {
      asset: [['1140', 'Grants Receivable', 'other_current_asset']],
      liability: [['2470', 'Grants Payable', 'other_current_liability']],
      income: [
        ['4100', 'Contributions', 'revenue'], ['4110', 'Grants', 'revenue'], ['4120', 'Membership Dues', 'revenue'], ['4130', 'Fundraising Events', 'revenue'],
        ['4140', 'In-Kind Contributions', 'revenue'],
      ],
      expense: [
        ['6040', 'Program Expenses', 'operating'], ['6041', 'Grants to Others', 'operating'], ['6042', 'Fundraising Expenses', 'operating'],
        ['6043', 'Volunteer Expenses', 'operating'],
      ],
    },
  },
  software: {
    name: 'Software and SaaS',
    description: 'Software makers and subscription services.',
    also: ['saas', 'software_saas', 'software_and_saas', 'technology', 'tech', 'it'],
    called: { 4000: 'Subscription Revenue', 5000: 'Cost of Revenue' },
    more: {
      asset: [['1340', 'Deferred Commissions', 'other_current_asset'], ['1710', 'Capitalized Software', 'intangible']],
      income: [['4040', 'Usage Revenue', 'revenue'], ['4051', 'Implementation Services', 'revenue'], ['4052', 'License Revenue', 'revenue']],
      expense: [
        ['5210', 'Cloud Infrastructure', 'cost_of_goods_sold'], ['5220', 'Customer Support', 'cost_of_goods_sold'],
        ['5230', 'Third-Party Services', 'cost_of_goods_sold'],
        ['6031', 'Research and Development', 'payroll'], ['6032', 'Sales Commissions', 'payroll'], ['6260', 'Domains and Certificates', 'operating'],
      ],
    },
  },
  manufacturing: {
    name: 'Manufacturing',
    description: 'Makers of goods, from raw materials to finished products.',
    also: ['factory', 'production', 'maker'],
    called: { 4000: 'Product Sales', 1200: 'Finished Goods' },
    more: {
      asset: [
        ['1220', 'Raw Materials', 'other_current_asset'], ['1230', 'Work in Process', 'other_current_asset'], ['1570', 'Plant and Machinery', 'fixed_asset'],
      ],
      liability: [['2440', 'Warranty Reserve', 'other_current_liability']],
      income: [['4080', 'Scrap Sales', 'revenue']],
      expense: [
        ['5240', 'Direct Labor', 'cost_of_goods_sold'], ['5250', 'Manufacturing Overhead', 'cost_of_goods_sold'],
        ['5260', 'Freight and Duty', 'cost_of_goods_sold'],
        ['5270', 'Factory Supplies', 'cost_of_goods_sold'], ['5280', 'Scrap and Spoilage', 'cost_of_goods_sold'], ['6380', 'Warranty Expense', 'operating'],
      ],
    },
  },
  real_estate: {
    name: 'Real estate',
    description: 'Landlords, property managers and developers.',
    also: ['property_management', 'landlord', 'rental', 'property'],
    called: { 1100: 'Rent Receivable', 4000: 'Rental Income', 5000: 'Cost of Properties Sold', 2450: 'Prepaid Rent from Tenants', 2700: 'Mortgages Payable' },
    more: {
      asset: [
        ['1400', 'Tenant Deposits Held', 'bank', 'bank'], ['1580', 'Buildings', 'fixed_asset'], ['1585', 'Building Improvements', 'fixed_asset'],
        ['1600', 'Land', 'fixed_asset'],
      ],
      liability: [['2425', 'Tenant Security Deposits', 'other_current_liability']],
      income: [['4150', 'Late Fees', 'revenue'], ['4160', 'Management Fees', 'revenue'], ['4170', 'Parking and Other Tenant Income', 'revenue']],
      expense: [
        ['6160', 'Property Taxes', 'operating'], ['6170', 'Property Management', 'operating'], ['6180', 'Cleaning and Landscaping', 'operating'],
        ['6190', 'Association Fees', 'operating'],
      ],
    },
  },
} as const satisfies Record<string, Variant>

export type Industry = keyof typeof VARIANTS
export const INDUSTRIES = Object.keys(VARIANTS) as [Industry, ...Industry[]]

export function templateOf(key: Industry): Template {
  const { name, description, called = {}, more = {} }: Variant = VARIANTS[key]
  const ledgers = (Object.keys(COMMON) as LedgerType[]).flatMap((type) => {
    const lines: readonly Line[] = [...COMMON[type], ...(more[type] ?? [])]
    return lines.map(([number, common, subtype, mark]): TemplateLedger => {
      const role = mark === undefined || mark === 'bank' ? null : mark
      return { number, name: called[number] ?? common, type, subtype, role, is_bank: mark === 'bank' }
    })
  })
  return { key, name, description, ledgers: ledgers.toSorted((a, b) => (a.number < b.number ? -1 : 1)) }
}

/** The industry that a business names in its own words; null where it is none of ours. */
export function industryOf(words: string | null): Industry | null {
  const word = (words ?? '').toLowerCase().replaceAll(/[^a-z0-9]+/g, '_').replaceAll(/^_|_$/g, '')
  return INDUSTRIES.find((key) => {
    const { also = [] }: Variant = VARIANTS[key]
    return key === word || also.includes(word)
  }) ?? null
}

/**
 * What of a template a chart does not have yet. A ledger counts as present where its role is taken, where its number stands for the same type
 * (it was renamed), or where its name is in use. A number that stands for something else gives way to the next free one.
 */
export function missingFrom(ledgers: readonly LedgerRow[], template: Template): TemplateLedger[] {
  const roles = new Set(ledgers.map(({ role }) => role))
  const types = new Map(ledgers.map(({ number, type }) => [number, type]))
  const names = new Set(ledgers.filter(({ parent_id }) => parent_id === null).map(({ name }) => name.toLowerCase()))
  const typed = new Set(ledgers.map(({ type, name }) => `${type} ${name.toLowerCase()}`))
  const present = ({ role, number, type, name }: TemplateLedger) =>
    (role !== null && roles.has(role)) || types.get(number) === type || names.has(name.toLowerCase()) || typed.has(`${type} ${name.toLowerCase()}`)
  const taken = new Set([...types.keys(), ...template.ledgers.map(({ number }) => number)])
  return template.ledgers.filter((ledger) => !present(ledger)).map((ledger) => {
    if (!types.has(ledger.number)) return ledger
    let number = Number(ledger.number)
    while (taken.has(String(number))) number += 1
    taken.add(String(number))
    return { ...ledger, number: String(number) }
  })
}
