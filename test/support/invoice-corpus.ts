// Documents of many layouts with what a person reads in them: the yardstick for reading by rules.
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { block, mailOf, pdfOf, pdfOfImages, table, type Piece } from './documents.ts'

export type Expected = {
  invoice_number?: string
  customer_name?: string
  customer_email?: string
  invoice_date?: string
  due_date?: string
  currency?: string
  purchase_order_number?: string
  tax?: number
  total?: number
  /** description, quantity, unit price, amount */
  line_items?: [string, string | null, number | null, number][]
}

export type Case = { name: string; content: () => Buffer | Promise<Buffer>; expected: Expected }

const meta = (lines: string[], y = 60): Piece[] => block(lines, 380, y)
const sums = (rows: [string, string][], y: number, { label = 380, right = 555 } = {}): Piece[] =>
  rows.flatMap(([text, amount], index) => [{ text, x: label, y: y + index * 16 }, { text: amount, right, y: y + index * 16 }])
const wide = [{ heading: 'Description', x: 40 }, { heading: 'Qty', right: 340 }, { heading: 'Unit price', right: 440 }, { heading: 'Amount', right: 555 }]
const fixture = (name: string): Buffer => readFileSync(new URL(`../fixtures/${name}`, import.meta.url))

const scan: Expected = {
  invoice_number: 'NS-20417', customer_name: 'Harbor Logistics Inc.', customer_email: 'ap@harborlogistics.com', invoice_date: '2026-02-09', due_date: '2026-03-11', currency: 'USD',
  purchase_order_number: '88123', tax: 0, total: 537000,
  line_items: [['Brand guidelines', '1', 320000, 320000], ['Vehicle lettering design', '6', 14500, 87000], ['Photography, half day', '2', 65000, 130000]],
}

/** One bit a pixel, as fax machines and many scanners make them; drawn from a PNG with four bits of grey. */
async function blackAndWhite(): Promise<Buffer> {
  const { width, height, pixel } = await greyOf(fixture('scanned-invoice.png'))
  const row = Math.ceil(width / 8)
  const bits = Buffer.alloc(row * height)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (pixel(x, y) >= 9) bits[y * row + (x >> 3)] = (bits[y * row + (x >> 3)] ?? 0) | (0x80 >> (x & 7))
  const data = deflateSync(bits)
  const draw = Buffer.from('q 595 0 0 532 0 300 cm /Scan Do Q')
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from('<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /XObject << /Scan 4 0 R >> >> /Contents 5 0 R >>'),
    Buffer.concat([Buffer.from(`<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /FlateDecode /Length ${data.length} >>\nstream\n`), data, Buffer.from('\nendstream')]),
    Buffer.concat([Buffer.from(`<< /Length ${draw.length} >>\nstream\n`), draw, Buffer.from('\nendstream')]),
  ]
  return Buffer.concat([Buffer.from('%PDF-1.4\n'), ...objects.map((object, index) => Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])), Buffer.from('trailer << /Root 1 0 R >>\n%%EOF')])
}

async function greyOf(png: Buffer): Promise<{ width: number; height: number; pixel(x: number, y: number): number }> {
  const { inflateSync } = await import('node:zlib')
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const at = png.indexOf('IDAT')
  const raw = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)))
  const row = Math.ceil(width / 2) + 1
  return { width, height, pixel: (x, y) => ((raw[y * row + 1 + (x >> 1)] ?? 0) >> (x & 1 ? 0 : 4)) & 15 }
}

export const corpus: Case[] = [
  {
    name: 'american, labels beside values',
    content: () => pdfOf([
      { text: 'INVOICE', x: 40, y: 40, size: 22 }, ...block(['Bright Ideas LLC', '12 Elm Street', 'Austin, TX 78701'], 40, 80), ...meta(['Invoice No: INV-1001', 'Invoice Date: 03/15/2026', 'Due Date: 04/14/2026', 'PO Number: 4500012']),
      ...block(['Bill To:', 'ACME Corporation', '1 Main Street', 'Springfield, IL 62701', 'ap@acme.example'], 40, 150),
      ...table(wide, [['Consulting services, March', '3', '1,200.00', '3,600.00'], ['Travel expenses', '1', '412.50', '412.50']], 260),
      ...sums([['Subtotal', '$4,012.50'], ['Sales tax (8.25%)', '$331.03'], ['Total due', '$4,343.53']], 380),
    ]),
    expected: {
      invoice_number: 'INV-1001', customer_name: 'ACME Corporation', customer_email: 'ap@acme.example', invoice_date: '2026-03-15', due_date: '2026-04-14', currency: 'USD', purchase_order_number: '4500012',
      tax: 33103, total: 434353, line_items: [['Consulting services, March', '3', 120000, 360000], ['Travel expenses', '1', 41250, 41250]],
    },
  },
  {
    name: 'american, values below labels, ship-to beside bill-to',
    content: () => pdfOf([
      { text: 'Summit Supply Co.', x: 40, y: 40, size: 18 },
      ...table([{ heading: 'INVOICE #', x: 40 }, { heading: 'DATE', x: 180 }, { heading: 'DUE DATE', x: 300 }, { heading: 'TERMS', x: 430 }], [['20881', 'Jan 7, 2026', 'Feb 6, 2026', 'Net 30']], 90),
      ...block(['BILL TO', 'Riverside Medical Group', '400 Health Way', 'Denver, CO 80203'], 40, 160), ...block(['SHIP TO', 'Riverside Warehouse', '9 Depot Street', 'Denver, CO 80216'], 320, 160),
      ...table([{ heading: 'ITEM', x: 40 }, { heading: 'DESCRIPTION', x: 110 }, { heading: 'QTY', right: 380 }, { heading: 'RATE', right: 460 }, { heading: 'AMOUNT', right: 555 }],
        [['GLV-10', 'Nitrile gloves, box of 100', '40', '18.75', '750.00'], ['MSK-02', 'Surgical masks, box of 50', '25', '12.00', '300.00'], ['', 'Handling', '1', '35.00', '35.00']], 260),
      ...sums([['SUBTOTAL', '1,085.00'], ['TAX', '0.00'], ['TOTAL', '1,085.00'], ['BALANCE DUE', '$1,085.00']], 400),
    ]),
    expected: {
      invoice_number: '20881', customer_name: 'Riverside Medical Group', invoice_date: '2026-01-07', due_date: '2026-02-06', currency: 'USD', tax: 0, total: 108500,
      line_items: [['Nitrile gloves, box of 100', '40', 1875, 75000], ['Surgical masks, box of 50', '25', 1200, 30000], ['Handling', '1', 3500, 3500]],
    },
  },
  {
    name: 'german',
    content: () => pdfOf([
      ...block(['Muster & Partner GmbH', 'Hauptstraße 1, 10115 Berlin'], 40, 40), ...block(['Rechnung an:', 'Schneider Maschinenbau AG', 'Industriestr. 44', '70565 Stuttgart'], 40, 110),
      { text: 'Rechnung', x: 40, y: 200, size: 18 }, ...meta(['Rechnungsnummer: 2026-0114', 'Rechnungsdatum: 05.03.2026', 'Fällig am: 04.04.2026'], 110),
      ...table([{ heading: 'Pos.', x: 40 }, { heading: 'Bezeichnung', x: 80 }, { heading: 'Menge', right: 360 }, { heading: 'Einzelpreis', right: 450 }, { heading: 'Gesamt', right: 555 }],
        [['1', 'Beratung vor Ort', '2', '1.150,00 €', '2.300,00 €'], ['2', 'Softwarelizenz, jährlich', '10', '89,90 €', '899,00 €']], 240),
      ...sums([['Nettobetrag', '3.199,00 €'], ['zzgl. 19 % MwSt.', '607,81 €'], ['Rechnungsbetrag', '3.806,81 €']], 340), { text: 'Zahlbar innerhalb von 30 Tagen ohne Abzug.', x: 40, y: 430 },
    ], { font: 'embedded' }),
    expected: {
      invoice_number: '2026-0114', customer_name: 'Schneider Maschinenbau AG', invoice_date: '2026-03-05', due_date: '2026-04-04', currency: 'EUR', tax: 60781, total: 380681,
      line_items: [['Beratung vor Ort', '2', 115000, 230000], ['Softwarelizenz, jährlich', '10', 8990, 89900]],
    },
  },
  {
    name: 'french',
    content: () => pdfOf([
      { text: 'FACTURE N° F2026-031', x: 40, y: 40, size: 16 }, { text: 'Date de facture : 12/06/2026', x: 40, y: 70 }, { text: "Date d'échéance : 30/06/2026", x: 40, y: 86 },
      ...block(['Facturé à', 'Boulangerie Martin SARL', '8 rue des Lilas', '69003 Lyon'], 350, 60),
      ...table([{ heading: 'Désignation', x: 40 }, { heading: 'Quantité', right: 340 }, { heading: 'Prix unitaire HT', right: 450 }, { heading: 'Montant HT', right: 555 }],
        [['Création de site internet', '1', '2 450,00', '2 450,00'], ['Maintenance mensuelle', '3', '75,00', '225,00']], 170),
      ...sums([['Total HT', '2 675,00 €'], ['TVA 20 %', '535,00 €'], ['Total TTC', '3 210,00 €']], 260),
    ], { font: 'embedded' }),
    expected: {
      invoice_number: 'F2026-031', customer_name: 'Boulangerie Martin SARL', invoice_date: '2026-06-12', due_date: '2026-06-30', currency: 'EUR', tax: 53500, total: 321000,
      line_items: [['Création de site internet', '1', 245000, 245000], ['Maintenance mensuelle', '3', 7500, 22500]],
    },
  },
  {
    name: 'british with a tax column',
    content: () => pdfOf([
      { text: 'TAX INVOICE', right: 555, y: 40, size: 18 }, ...block(['Thames Print Ltd', 'VAT No. GB 123 4567 89'], 40, 40), ...meta(['Invoice Number  TP-778', 'Date  21/04/2026', 'Payment due  21/05/2026'], 80),
      ...block(['Invoice to', 'Camden Arts Trust', 'accounts@camdenarts.example'], 40, 110),
      ...table([{ heading: 'Description', x: 40 }, { heading: 'Quantity', right: 300 }, { heading: 'Unit Price', right: 380 }, { heading: 'VAT', right: 440 }, { heading: 'Amount GBP', right: 555 }],
        [['A3 posters, silk', '500', '0.62', '20%', '310.00'], ['Programme booklets, 16 pages', '250', '1.85', '0%', '462.50']], 200),
      ...sums([['Subtotal', '772.50'], ['Total VAT 20%', '62.00'], ['Total GBP', '834.50']], 300),
    ]),
    expected: {
      invoice_number: 'TP-778', customer_name: 'Camden Arts Trust', customer_email: 'accounts@camdenarts.example', invoice_date: '2026-04-21', due_date: '2026-05-21', currency: 'GBP', tax: 6200, total: 83450,
      line_items: [['A3 posters, silk', '500', 62, 31000], ['Programme booklets, 16 pages', '250', 185, 46250]],
    },
  },
  {
    name: 'canadian, two taxes',
    content: () => pdfOf([
      { text: 'Invoice', x: 40, y: 40, size: 20 }, ...meta(['Invoice # 5512', 'Date: 2026-02-28', 'All amounts in CAD']), ...block(['Client:', 'Maple Ridge Dental', '22 Bay St, Toronto'], 40, 100),
      ...table([{ heading: 'Service', x: 40 }, { heading: 'Hours', right: 360 }, { heading: 'Rate', right: 440 }, { heading: 'Total', right: 555 }],
        [['Bookkeeping', '12.5', '$80.00', '$1,000.00'], ['Payroll run', '2', '$150.00', '$300.00']], 180),
      ...sums([['Subtotal', '$1,300.00'], ['GST 5%', '$65.00'], ['PST 8%', '$104.00'], ['Total', '$1,469.00']], 280),
    ]),
    expected: {
      invoice_number: '5512', customer_name: 'Maple Ridge Dental', invoice_date: '2026-02-28', currency: 'CAD', tax: 16900, total: 146900,
      line_items: [['Bookkeeping', '12.5', 8000, 100000], ['Payroll run', '2', 15000, 30000]],
    },
  },
  {
    name: 'descriptions of several lines, discount and shipping',
    content: () => pdfOf([
      { text: 'INVOICE 7731', x: 40, y: 40, size: 18 }, ...meta(['Date issued: 3 May 2026', 'Terms: Net 15']), ...block(['Sold to', 'Fjord Outdoor AS', 'Bergen'], 40, 90),
      ...table(wide, [[['Tent "Polar 3"', 'three persons, four seasons', 'colour: red'], '4', '389.00', '1,556.00'], [['Sleeping mat', 'self-inflating'], '8', '59.50', '476.00']], 170),
      ...sums([['Subtotal', '2,032.00'], ['Discount 10%', '-203.20'], ['Shipping', '45.00'], ['Total EUR', '1,873.80']], 300),
    ]),
    expected: {
      invoice_number: '7731', customer_name: 'Fjord Outdoor AS', invoice_date: '2026-05-03', due_date: '2026-05-18', currency: 'EUR', total: 187380,
      line_items: [['Tent "Polar 3" three persons, four seasons colour: red', '4', 38900, 155600], ['Sleeping mat self-inflating', '8', 5950, 47600], ['Discount', null, null, -20320], ['Shipping', null, null, 4500]],
    },
  },
  {
    name: 'two pages of rows',
    content: () => pdfOf([
      { text: 'Invoice', x: 40, y: 40, size: 18 }, ...meta(['Invoice number: L-900', 'Invoice date: 31 January 2026']), ...block(['Bill to: Globex Corporation', 'billing@globex.example'], 40, 90),
      ...table(wide, Array.from({ length: 30 }, (_, index) => [`Part ${String.fromCharCode(65 + (index % 26))}${index}`, '2', '10.00', '20.00']), 140, { step: 20 }), { text: 'Page 1 of 2', x: 270, y: 815 },
      ...table(wide, Array.from({ length: 10 }, (_, index) => [`Part ${String.fromCharCode(65 + (index % 26))}${index + 30}`, '1', '5.00', '5.00']), 60, { step: 20, page: 2 }),
      ...sums([['Total', 'USD 650.00']], 330).map((piece) => ({ ...piece, page: 2 })), { text: 'Page 2 of 2', x: 270, y: 815, page: 2 },
    ]),
    expected: {
      invoice_number: 'L-900', customer_name: 'Globex Corporation', customer_email: 'billing@globex.example', invoice_date: '2026-01-31', currency: 'USD', total: 65000,
      line_items: Array.from({ length: 40 }, (_, index): [string, string, number, number] => (index < 30 ? [`Part ${String.fromCharCode(65 + (index % 26))}${index}`, '2', 1000, 2000] : [`Part ${String.fromCharCode(65 + ((index - 30) % 26))}${index}`, '1', 500, 500])),
    },
  },
  {
    name: 'description and amount only',
    content: () => pdfOf([
      { text: 'Harper & Lane, Attorneys', x: 40, y: 40, size: 14 }, { text: 'March 31, 2026', x: 40, y: 70 }, { text: 'Invoice No. 4420', x: 40, y: 90 }, ...block(['To:', 'Oakwood Properties LLC'], 40, 120),
      ...table([{ heading: 'Services rendered', x: 40 }, { heading: 'Amount', right: 555 }], [['Review of lease agreement', '$1,750.00'], ['Tax preparation advice', '$600.00'], ['Court filing fee', '$215.00']], 180),
      ...sums([['Total', '$2,565.00']], 290), { text: 'Due upon receipt.', x: 40, y: 330 },
    ], { font: 'Times-Roman' }),
    expected: {
      invoice_number: '4420', customer_name: 'Oakwood Properties LLC', invoice_date: '2026-03-31', due_date: '2026-03-31', currency: 'USD', total: 256500,
      line_items: [['Review of lease agreement', null, null, 175000], ['Tax preparation advice', null, null, 60000], ['Court filing fee', null, null, 21500]],
    },
  },
  {
    name: 'australian, tax included',
    content: () => pdfOf([
      { text: 'TAX INVOICE', x: 40, y: 40, size: 18 }, { text: 'ABN 51 824 753 556', x: 40, y: 66 }, ...meta(['Invoice no. A-3001', 'Issued 9 Mar 2026', 'Due 23 Mar 2026']), ...block(['Customer: Coastal Surf Shop Pty Ltd'], 40, 100),
      ...table([{ heading: 'Item', x: 40 }, { heading: 'Qty', right: 330 }, { heading: 'Price', right: 430 }, { heading: 'Total', right: 555 }], [['Surfboard repair', '3', '88.00', '264.00'], ['Wax, case', '5', '33.00', '165.00']], 150),
      ...sums([['Total (A$)', '429.00'], ['Including GST of', '39.00']], 240),
    ]),
    expected: {
      invoice_number: 'A-3001', customer_name: 'Coastal Surf Shop Pty Ltd', invoice_date: '2026-03-09', due_date: '2026-03-23', currency: 'AUD', tax: 3900, total: 42900,
      line_items: [['Surfboard repair', '3', 8800, 26400], ['Wax, case', '5', 3300, 16500]],
    },
  },
  {
    name: 'spanish',
    content: () => pdfOf([
      { text: 'FACTURA', x: 40, y: 40, size: 18 }, ...meta(['Factura nº: 2026/087', 'Fecha: 18/02/2026', 'Vencimiento: 20/03/2026']), ...block(['Cliente:', 'Hoteles del Sur S.L.', 'Sevilla'], 40, 100),
      ...table([{ heading: 'Concepto', x: 40 }, { heading: 'Cantidad', right: 340 }, { heading: 'Precio', right: 440 }, { heading: 'Importe', right: 555 }], [['Servicio de limpieza', '4', '320,00', '1.280,00'], ['Material', '1', '96,50', '96,50']], 170),
      ...sums([['Base imponible', '1.376,50 €'], ['IVA 21%', '289,07 €'], ['Total', '1.665,57 €']], 260),
    ], { font: 'embedded' }),
    expected: {
      invoice_number: '2026/087', customer_name: 'Hoteles del Sur S.L.', invoice_date: '2026-02-18', due_date: '2026-03-20', currency: 'EUR', tax: 28907, total: 166557,
      line_items: [['Servicio de limpieza', '4', 32000, 128000], ['Material', '1', 9650, 9650]],
    },
  },
  {
    name: 'landscape with codes, discount column and a heading on two lines',
    content: () => pdfOf([
      { text: 'Invoice', x: 40, y: 40, size: 18 }, ...block(['Invoice No.: 99-4411', 'Date: 02 Apr 2026', 'Your order: PO-7765'], 600, 50), ...block(['Bill to', 'Initech Inc.', '4120 Freidrich Ln'], 40, 90),
      { text: 'Unit', right: 520, y: 158 }, { text: 'Line', right: 760, y: 158 },
      ...table([{ heading: 'SKU', x: 40 }, { heading: 'Description', x: 130 }, { heading: 'Qty', right: 420 }, { heading: 'Price', right: 520 }, { heading: 'Disc %', right: 620 }, { heading: 'Total', right: 760 }],
        [['AB-1', 'Stapler, red', '6', '12.50', '0%', '75.00'], ['CD-22', 'Report covers', '100', '1.10', '0%', '110.00']], 170),
      ...sums([['Total USD', '185.00']], 260, { label: 600, right: 760 }),
    ], { landscape: true }),
    expected: {
      invoice_number: '99-4411', customer_name: 'Initech Inc.', invoice_date: '2026-04-02', currency: 'USD', purchase_order_number: 'PO-7765', total: 18500,
      line_items: [['Stapler, red', '6', 1250, 7500], ['Report covers', '100', 110, 11000]],
    },
  },
  {
    name: 'fixed-width print',
    content: () => pdfOf([
      ...block(['INVOICE NO 00871          DATE 11/30/2025', '', 'CUSTOMER: PIED PIPER INC', '', 'QTY   DESCRIPTION              PRICE     AMOUNT', '10    COMPRESSION LICENSE      99.00     990.00', '1     SETUP FEE               250.00     250.00', '', '                               TOTAL  $1,240.00'], 40, 60),
    ], { font: 'Courier' }),
    expected: {
      invoice_number: '00871', customer_name: 'PIED PIPER INC', invoice_date: '2025-11-30', currency: 'USD', total: 124000,
      line_items: [['COMPRESSION LICENSE', '10', 9900, 99000], ['SETUP FEE', '1', 25000, 25000]],
    },
  },
  {
    name: 'paid in part',
    content: () => pdfOf([
      { text: 'INVOICE', x: 40, y: 40, size: 18 }, ...meta(['Invoice #: 3107', 'Invoice date: April 8, 2026']), ...block(['Bill to', 'Vandelay Industries', 'art@vandelay.example'], 40, 90),
      ...table(wide, [['Latex, industrial grade', '20', '45.00', '900.00']], 160), ...sums([['Total', '$900.00'], ['Paid', '$300.00'], ['Balance due', '$600.00']], 220),
    ]),
    expected: {
      invoice_number: '3107', customer_name: 'Vandelay Industries', customer_email: 'art@vandelay.example', invoice_date: '2026-04-08', currency: 'USD', total: 90000, line_items: [['Latex, industrial grade', '20', 4500, 90000]],
    },
  },
  {
    name: 'plain text',
    content: () => Buffer.from(['Invoice number: T-5', 'Date: 2026-05-02', 'Bill to: Hooli Ltd', '', 'Description\tQty\tPrice\tAmount', 'Server rack\t2\t1,450.00\t2,900.00', 'Installation\t1\t300.00\t300.00', '', 'Total\t£3,200.00'].join('\n')),
    expected: { invoice_number: 'T-5', customer_name: 'Hooli Ltd', invoice_date: '2026-05-02', currency: 'GBP', total: 320000, line_items: [['Server rack', '2', 145000, 290000], ['Installation', '1', 30000, 30000]] },
  },
  {
    name: 'request: days at a rate',
    content: () => mailOf({ from: 'Pat <pat@ourselves.example>', subject: 'Invoice ACME', text: 'Hi,\n\nplease invoice ACME for 3 days of consulting at 1,200.\n\nThanks\nPat' }),
    expected: { customer_name: 'ACME', line_items: [['Days of consulting', '3', 120000, 360000]] },
  },
  {
    name: 'request: a sum for a thing',
    content: () => mailOf({ from: 'Pat <pat@ourselves.example>', subject: 'billing', text: 'Could you bill Globex Corp $4,500 for the March retainer? PO 7788, net 30.\n\nCheers,\nPat' }),
    expected: { customer_name: 'Globex Corp', currency: 'USD', purchase_order_number: '7788', line_items: [['March retainer', '1', 450000, 450000]] },
  },
  {
    name: 'request: a list with an address',
    content: () => mailOf({ from: 'Pat <pat@ourselves.example>', subject: 'New invoice', text: 'Hello,\n\nPlease send an invoice to Initech GmbH (ap@initech.example) for:\n\n- 10 x Widget at €25.00\n- 2 hours of support @ €80.00\n- Shipping: €19.90\n\nDue on 30 April 2026.\n\nRegards\nPat' }),
    expected: {
      customer_name: 'Initech GmbH', customer_email: 'ap@initech.example', currency: 'EUR', due_date: '2026-04-30',
      line_items: [['Widget', '10', 2500, 25000], ['Hours of support', '2', 8000, 16000], ['Shipping', '1', 1990, 1990]],
    },
  },
  {
    name: 'request from the customer',
    content: () => mailOf({ from: 'Dana Reed <dana@wayne.example>', subject: 'Please invoice us', text: 'Hi team,\n\nPlease invoice us for 12 licenses at $49.00 each and 1 onboarding session at $300.00.\nOur PO number is PO-5521.\n\nBest regards,\nDana Reed\nWayne Enterprises Inc.' }),
    expected: {
      customer_name: 'Wayne Enterprises Inc.', customer_email: 'dana@wayne.example', currency: 'USD', purchase_order_number: 'PO-5521', line_items: [['Licenses', '12', 4900, 58800], ['Onboarding session', '1', 30000, 30000]],
    },
  },
  {
    name: 'request: european figures',
    content: () => mailOf({ from: 'Jan <jan@ourselves.example>', subject: 'Faktura', text: 'Please charge Stark Industries 2.450,00 EUR for the design review, dated 15.03.2026.\n\nJan' }),
    expected: { customer_name: 'Stark Industries', currency: 'EUR', invoice_date: '2026-03-15', line_items: [['Design review, dated 15.03.2026', '1', 245000, 245000]] },
  },
  {
    name: 'message with a table in HTML',
    content: () => mailOf({
      from: 'Orders <orders@umbrella.example>', subject: 'Purchase order 30117',
      html: '<p>Please deliver and invoice:</p><p>Customer: Umbrella Corporation</p><table><tr><th>Item</th><th>Qty</th><th>Price</th><th>Total</th></tr><tr><td>Lab coat</td><td>15</td><td>$32.00</td><td>$480.00</td></tr><tr><td>Goggles</td><td>30</td><td>$9.50</td><td>$285.00</td></tr></table><p>Purchase order no. 30117</p><p>Total: $765.00</p>',
    }),
    expected: { customer_name: 'Umbrella Corporation', currency: 'USD', purchase_order_number: '30117', total: 76500, line_items: [['Lab coat', '15', 3200, 48000], ['Goggles', '30', 950, 28500]] },
  },
  { name: 'software company with amount due label and period', content: () => pdfOf([
    { text: 'Invoice', x: 40, y: 50, size: 24 }, { text: 'Invoice number', x: 40, y: 90 }, { text: 'B7F3A21C-0007', x: 150, y: 90 }, { text: 'Date of issue', x: 40, y: 105 }, { text: 'June 1, 2026', x: 150, y: 105 }, { text: 'Date due', x: 40, y: 120 }, { text: 'June 15, 2026', x: 150, y: 120 },
    ...block(['Cloudy Tools, Inc.', '548 Market St', 'San Francisco, California 94104', 'United States', 'support@cloudytools.example'], 40, 150), ...block(['Bill to', 'Quantum Bakery Ltd', 'finance@quantumbakery.example', '12 Baker Street', 'London'], 300, 150),
    { text: '$240.00 USD due June 15, 2026', x: 40, y: 240, size: 16 },
    ...table([{ heading: 'Description', x: 40 }, { heading: 'Qty', right: 380 }, { heading: 'Unit price', right: 460 }, { heading: 'Amount', right: 555 }], [[['Team plan', 'Jun 1 – Jul 1, 2026'], '8', '$30.00', '$240.00']], 280),
    ...sums([['Subtotal', '$240.00'], ['Total', '$240.00'], ['Amount due', '$240.00 USD']], 340)]),
    expected: { invoice_number: 'B7F3A21C-0007', customer_name: 'Quantum Bakery Ltd', customer_email: 'finance@quantumbakery.example', invoice_date: '2026-06-01', due_date: '2026-06-15', currency: 'USD', total: 24000, line_items: [['Team plan Jun 1 – Jul 1, 2026', '8', 3000, 24000]] } },
  { name: 'wholesale, extended price', content: () => pdfOf([
    { text: 'SALES INVOICE', x: 230, y: 40, size: 16 }, ...meta(['INVOICE NO.: 0045512', 'INVOICE DATE: 07/22/2026', 'CUSTOMER PO: 99871', 'TERMS: 2% 10 NET 30']), ...block(['SOLD TO:', 'MIDWEST HARDWARE COOPERATIVE', '900 INDUSTRIAL PKWY', 'DES MOINES IA 50309'], 40, 80),
    ...table([{ heading: 'ITEM NO.', x: 40 }, { heading: 'QTY', right: 150 }, { heading: 'DESCRIPTION', x: 170 }, { heading: 'UNIT COST', right: 440 }, { heading: 'EXT. PRICE', right: 555 }], [['10-4471', '144', 'HEX BOLT 1/2 X 3', '0.85', '122.40'], ['22-1180', '60', 'CARRIAGE BOLT 3/8', '1.10', '66.00'], ['31-0090', '12', 'TOOL BOX STEEL', '48.95', '587.40']], 180),
    ...sums([['SUBTOTAL', '775.80'], ['FREIGHT', '62.50'], ['SALES TAX', '0.00'], ['TOTAL DUE', '$838.30']], 290)]),
    expected: { invoice_number: '0045512', customer_name: 'MIDWEST HARDWARE COOPERATIVE', invoice_date: '2026-07-22', due_date: '2026-08-21', currency: 'USD', purchase_order_number: '99871', tax: 0, total: 83830, line_items: [['HEX BOLT 1/2 X 3', '144', 85, 12240], ['CARRIAGE BOLT 3/8', '60', 110, 6600], ['TOOL BOX STEEL', '12', 4895, 58740], ['FREIGHT', null, null, 6250]] } },
  { name: 'dutch', content: () => pdfOf([
    { text: 'Factuur', x: 40, y: 40, size: 18 }, ...block(['Factuurnummer: 20260056', 'Factuurdatum: 14-05-2026', 'Vervaldatum: 28-05-2026'], 40, 80), ...block(['Factuur aan:', 'De Vries Installaties B.V.', 'Kanaalweg 3', 'Utrecht'], 320, 80),
    ...table([{ heading: 'Omschrijving', x: 40 }, { heading: 'Aantal', right: 340 }, { heading: 'Prijs', right: 430 }, { heading: 'Bedrag', right: 555 }], [['Onderhoud cv-ketel', '2', '€ 145,00', '€ 290,00'], ['Voorrijkosten', '1', '€ 35,00', '€ 35,00']], 170),
    ...sums([['Subtotaal', '€ 325,00'], ['BTW 21%', '€ 68,25'], ['Totaal', '€ 393,25']], 250)], { font: 'embedded' }),
    expected: { invoice_number: '20260056', customer_name: 'De Vries Installaties B.V.', invoice_date: '2026-05-14', due_date: '2026-05-28', currency: 'EUR', tax: 6825, total: 39325, line_items: [['Onderhoud cv-ketel', '2', 14500, 29000], ['Voorrijkosten', '1', 3500, 3500]] } },
  { name: 'time sheet', content: () => pdfOf([
    { text: 'Jane Doe Consulting', x: 40, y: 40, size: 14 }, { text: 'Invoice #112', x: 40, y: 64 }, { text: 'April 30, 2026', x: 40, y: 80 }, { text: 'Client: Northgate Capital Partners', x: 40, y: 110 },
    ...table([{ heading: 'Date', x: 40 }, { heading: 'Description', x: 110 }, { heading: 'Hours', right: 400 }, { heading: 'Rate', right: 470 }, { heading: 'Amount', right: 555 }], [['04/02/2026', 'Board preparation', '3.5', '$220.00', '$770.00'], ['04/09/2026', 'Due diligence call', '1.25', '$220.00', '$275.00'], ['04/21/2026', 'Model review', '6', '$220.00', '$1,320.00']], 150),
    ...sums([['Total hours', '10.75'], ['Total', '$2,365.00']], 250), { text: 'Payment due within 15 days.', x: 40, y: 300 }]),
    expected: { invoice_number: '112', customer_name: 'Northgate Capital Partners', invoice_date: '2026-04-30', due_date: '2026-05-15', currency: 'USD', total: 236500, line_items: [['Board preparation', '3.5', 22000, 77000], ['Due diligence call', '1.25', 22000, 27500], ['Model review', '6', 22000, 132000]] } },
  { name: 'mail: licences plus delivery', content: () => mailOf({ from: 'Sue <sue@ourselves.example>', subject: 'Invoice please', text: 'Morning,\n\nCould you please raise an invoice for Smith & Sons Ltd: 5 x annual licence @ £120.00, plus £75.00 for delivery. Payment within 14 days.\n\nSue' }),
    expected: { customer_name: 'Smith & Sons Ltd', currency: 'GBP', line_items: [['Annual licence', '5', 12000, 60000], ['Delivery', '1', 7500, 7500]] } },
  { name: 'mail: hours times rate', content: () => mailOf({ from: 'Tom <tom@ourselves.example>', subject: 'Kowalski', text: 'Hi,\nwe need to bill Kowalski Transport for October.\n\n16 hours of dispatch support at 95.00 EUR\n1 server migration at 1,850.00 EUR\n\nPlease date it October 31, 2026.\n\nTom' }),
    expected: { customer_name: 'Kowalski Transport', currency: 'EUR', invoice_date: '2026-10-31', line_items: [['Hours of dispatch support', '16', 9500, 152000], ['Server migration', '1', 185000, 185000]] } },
  { name: 'purchase order', content: () => pdfOf([
    { text: 'PURCHASE ORDER', x: 40, y: 40, size: 18 }, ...meta(['PO Number: PO-2291', 'Date: 2026-03-03']), ...block(['Buyer:', 'Delta Foods Inc', '1 Grain Road'], 40, 90), ...block(['Vendor:', 'Our Company'], 320, 120),
    ...table([{ heading: 'Item', x: 40 }, { heading: 'Quantity', right: 340 }, { heading: 'Unit Price', right: 440 }, { heading: 'Line Total', right: 555 }], [['Label printer', '3', '410.00', '1,230.00'], ['Labels, roll', '48', '9.25', '444.00']], 180),
    ...sums([['Order total', '$1,674.00']], 260)]),
    expected: { customer_name: 'Delta Foods Inc', purchase_order_number: 'PO-2291', currency: 'USD', total: 167400, line_items: [['Label printer', '3', 41000, 123000], ['Labels, roll', '48', 925, 44400]] } },
  { name: 'text with bars', content: () => Buffer.from(['INVOICE 2026-77', 'Issued: 2026-02-11', 'Due: 2026-03-13', 'To: Larkspur Gardens', '', '| Item            | Qty | Price  | Total   |', '| --------------- | --- | ------ | ------- |', '| Rose bushes     | 24  | 18.50  | 444.00  |', '| Planting        | 6   | 60.00  | 360.00  |', '', 'Subtotal: 804.00', 'VAT (20%): 160.80', 'Total: GBP 964.80'].join('\n')),
    expected: { invoice_number: '2026-77', customer_name: 'Larkspur Gardens', invoice_date: '2026-02-11', due_date: '2026-03-13', currency: 'GBP', tax: 16080, total: 96480, line_items: [['Rose bushes', '24', 1850, 44400], ['Planting', '6', 6000, 36000]] } },
  { name: 'description above its figures', content: () => pdfOf([
    { text: 'INVOICE', x: 40, y: 40, size: 18 }, ...meta(['No. 8812', 'Date 12 Aug 2026']), ...block(['Customer name', 'Peak Fitness GmbH'], 40, 90),
    { text: 'Description', x: 40, y: 150 }, { text: 'Quantity', right: 340, y: 150 }, { text: 'Price', right: 440, y: 150 }, { text: 'Total', right: 555, y: 150 },
    { text: 'Treadmill T-900', x: 40, y: 172 }, { text: 'delivered and installed', x: 40, y: 184 }, { text: '2', right: 340, y: 184 }, { text: '3.990,00', right: 440, y: 184 }, { text: '7.980,00', right: 555, y: 184 },
    ...sums([['Gesamtbetrag', '7.980,00 EUR']], 230)]),
    expected: { invoice_number: '8812', customer_name: 'Peak Fitness GmbH', invoice_date: '2026-08-12', currency: 'EUR', total: 798000, line_items: [['Treadmill T-900 delivered and installed', '2', 399000, 798000]] } },
  { name: 'codes after figures, quantity first', content: () => pdfOf([
    { text: 'Prairie Web Services', x: 40, y: 40, size: 14 }, ...block(['Invoice: PW-31', 'Date: Mar 9, 2026', 'Pay by: Mar 23, 2026'], 40, 70), ...block(['Billed to:', 'Town of Cedar Falls', 'Attn: Accounts Payable', 'clerk@cedarfalls.example'], 40, 130),
    ...table([{ heading: 'Qty', x: 40 }, { heading: 'Service', x: 90 }, { heading: 'Rate', right: 440 }, { heading: 'Amount', right: 555 }], [['12', 'Web hosting (month)', '25.00 CAD', '300.00 CAD'], ['1', 'Domain renewal', '18.99 CAD', '18.99 CAD']], 210),
    ...sums([['Subtotal', '318.99 CAD'], ['GST (5%)', '15.95 CAD'], ['Amount due', '334.94 CAD']], 280)]),
    expected: { invoice_number: 'PW-31', customer_name: 'Town of Cedar Falls', customer_email: 'clerk@cedarfalls.example', invoice_date: '2026-03-09', due_date: '2026-03-23', currency: 'CAD', tax: 1595, total: 33494, line_items: [['Web hosting (month)', '12', 2500, 30000], ['Domain renewal', '1', 1899, 1899]] } },
  { name: 'scan: picture', content: () => fixture('scanned-invoice.png'), expected: scan },
  { name: 'scan: picture in a PDF', content: () => pdfOfImages(fixture('scanned-invoice.png')), expected: scan },
  { name: 'scan: black and white in a PDF', content: blackAndWhite, expected: scan },
  {
    name: 'photograph',
    content: () => fixture('photographed-invoice.jpg'),
    expected: {
      invoice_number: '3391', customer_name: 'Mrs. Eleanor Whitfield', invoice_date: '2026-05-14', currency: 'GBP', tax: 43000, total: 258000,
      line_items: [['Oak bookcase, made to measure', null, null, 185000], ['Fitting', null, null, 24000], ['Delivery to site', null, null, 6000]],
    },
  },
]
