import { beforeAll, describe, expect, it } from 'vitest'
import { block, mailOf, pdfOf, table } from '../../../test/support/documents.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { newDocument } from '../../../test/support/uploads.ts'

let team: Team
beforeAll(async () => {
  team = await newBusiness()
})

const file = (file_name: string, content: Buffer | string) => ({ file_name, content_base64: Buffer.from(content as Buffer).toString('base64') })
const send = (documents: object[], more: object = {}, on: Team = team) => on.client.post('/invoices/ai-create', { documents, ...more })
const customer = async (name: string, more: object = {}, on: Team = team): Promise<string> => (await on.client.post('/customers', { name, ...more })).data.id

/** An invoice as a file; `note` makes the file another one. */
const invoice = (number: string, name: string, { note = '', amount = '80.00' } = {}) =>
  `Invoice no. ${number}\nInvoice date: March 3, 2026\nBill to: ${name}\n${note}\nDescription    Qty    Price    Amount\nDesk lamp    1    ${amount}    ${amount}\n\nTotal    $${amount}\nTerms: Net 15`

describe('a document', () => {
  it('becomes a draft with its values, their confidence and the lines that show them; nothing is posted', async () => {
    const acme = await customer('Acme Incorporated', { email: 'ap@acme.example' })
    const pdf = await pdfOf([
      ...block(['INVOICE', 'Invoice No: INV-1001', 'Invoice Date: 03/15/2026', 'PO Number: 4500012', 'Payment terms: Net 30'], 340, 40), ...block(['Bill To:', 'ACME, Inc.'], 40, 100),
      ...table([{ heading: 'Description', x: 40 }, { heading: 'Hours', right: 340 }, { heading: 'Rate', right: 440 }, { heading: 'Amount', right: 555 }], [['Consulting', '2.5', '80.00', '200.00'], ['Workshop', '1', '900.00', '900.00']], 160),
      { text: 'Discount', x: 380, y: 240 }, { text: '-110.00', right: 555, y: 240 }, { text: 'Total', x: 380, y: 260 }, { text: '$990.00', right: 555, y: 260 },
    ])
    const { status, data } = await send([file('march.pdf', pdf)])
    expect(status).toBe(201)
    expect(data).toMatchObject({ engine: 'rules', status: 'completed' })
    const [result] = data.results
    expect(result).toMatchObject({
      document: { index: 0, document_id: null, file_name: 'march.pdf', part: null, kind: 'pdf', pages: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      status: 'read', engine: 'rules', customer_id: acme, duplicate_of: null,
      extracted: { invoice_number: 'INV-1001', customer_name: 'ACME, Inc.', invoice_date: '2026-03-15', due_date: '2026-04-14', currency: 'USD', purchase_order_number: '4500012', total: 99_000 },
      confidence: { invoice_number: 95, invoice_date: 95, total: 98, line_items: 96 },
      evidence: { invoice_number: { text: 'Invoice No: INV-1001', page: 1, line: 2 } },
    })
    expect(result.extracted.line_items[0]).toMatchObject({ description: 'Consulting', quantity: '2.5', unit_price: 8_000, amount: 20_000, evidence: { text: 'Consulting  2.5  80.00  200.00' } })
    expect(result.warnings).toEqual(['Discount of 110.00 is spread over the lines.'])
    expect(result.invoice).toMatchObject({
      status: 'draft', origin: 'ai', ai_job_id: data.job_id, number: 'INV-1001', customer_id: acme, total: 99_000, purchase_order_number: '4500012', journal_entries: [], internal_note: 'Read from march.pdf.',
      line_items: [{ description: 'Consulting (2.5 × 80.00)', quantity: 1, unit_price: 20_000, discount: 2_000 }, { description: 'Workshop', quantity: 1, unit_price: 90_000, discount: 9_000 }],
    })
    const [terms] = await sql(`select name from payment_terms where business_id = $1 and id = $2`, [team.business_id, result.invoice.payment_terms_id])
    expect(terms.name).toBe('Net 30')
    expect((await team.client.get('/invoices', { ai_job_id: data.job_id })).data.items.map((item: { id: string }) => item.id)).toEqual([result.invoice.id])
    expect(await eventsOf(data.job_id)).toEqual(['ai_job.completed'])
    expect(await eventsOf(result.invoice.id)).toEqual(['invoice.created'])
  })

  it('that was uploaded before is read from where it lies, and belongs to its draft', async () => {
    await customer('Papers Ltd')
    const uploaded = await newDocument(team.client, 'stored.txt', 'Please invoice Papers Ltd for 2 days of consulting at $500.00')
    const { status, data } = await send([file('hello.txt', 'Hello!'), { document_id: uploaded.id }])
    expect(status).toBe(201)
    expect(data.results[1]).toMatchObject({ document: { index: 1, document_id: uploaded.id, file_name: 'stored.txt', sha256: uploaded.sha256 }, invoice: { total: 100_000, attachment_ids: [uploaded.id] } })
    const again = await send([{ document_id: uploaded.id }])
    expect(again.data.results[0]).toMatchObject({ status: 'reported', duplicate_of: data.results[1].invoice.id })
    const stranger = await newBusiness()
    expect((await stranger.client.post('/invoices/ai-create', { documents: [{ document_id: uploaded.id }] })).status).toBe(404)
    await team.client.delete(`/documents/${uploaded.id}`)
    expect((await send([{ document_id: uploaded.id }])).status).toBe(404)
  })

  it('of any kind is told apart by its content; one that cannot be read is reported', async () => {
    const { data } = await send([file('a.pdf', 'PK\x03\x04\0'), file('locked.pdf', await pdfOf([{ text: 'secret', y: 40 }], { password: 'x' })), file('hello.txt', 'Hello, how are you?')])
    expect(data.results.map(({ status, invoice: made, warnings }: any) => [status, made, warnings])).toEqual([
      ['reported', null, ['a.pdf is of a kind that cannot be read: send a PDF, a PNG or JPEG picture, an e-mail (.eml) or plain text.']],
      ['reported', null, ['locked.pdf is protected by a password: send it without one.']],
      ['read', null, ['Whom the invoice is for was not found: send customer_id.', 'Nothing to charge was found in it.']],
    ])
  })

  it('that is an e-mail gives a draft for each attachment; whom it is for may stand in the message', async () => {
    const wayne = await customer('Wayne Enterprises')
    const attachments = [
      { name: 'one.txt', type: 'text/plain', content: Buffer.from('Description    Qty    Price    Amount\nRope    2    15.00    30.00\nTotal    $30.00') },
      { name: 'two.txt', type: 'text/plain', content: Buffer.from(invoice('W-2', 'Wayne Enterprises Ltd.')) },
    ]
    const { data } = await send([file('mail.eml', mailOf({ from: 'Al <al@ourselves.example>', text: 'Please invoice Wayne Enterprises as attached.', attachments }))])
    expect(data.results.map(({ document, customer_id, invoice: made }: any) => [document.index, document.part, customer_id, made.total])).toEqual([[0, 'one.txt', wayne, 3_000], [0, 'two.txt', wayne, 8_000]])
  })

  it('without lines becomes one line of the sum, and one whose lines disagree keeps the lines', async () => {
    await customer('Lines Ltd')
    const whole = invoice('D-2', 'Lines Ltd').replace('Total    $80.00', 'Total    $95.00')
    const { data } = await send([file('sum.txt', 'Invoice no. D-1\nBill to: Lines Ltd\nTotal due: $1,250.00'), file('disagrees.txt', whole)])
    expect(data.results[0]).toMatchObject({ invoice: { total: 125_000, line_items: [{ description: 'As in sum.txt', quantity: 1, unit_price: 125_000 }] }, warnings: ['No lines were found: the draft has one line of the whole sum.'] })
    expect(data.results[1]).toMatchObject({ invoice: { total: 8_000 }, confidence: { total: 40 }, warnings: ['The lines come to 80.00, but the document says 95.00: the lines count.'] })
  })

  it('in which there is nothing to invoice, or a credit note, makes no draft', async () => {
    await customer('Credits Ltd')
    const { data } = await send([file('credit.txt', `CREDIT NOTE\n${invoice('CN-1', 'Credits Ltd')}`)])
    expect(data.results[0]).toMatchObject({ invoice: null, warnings: expect.arrayContaining(['This is a credit note: it is not turned into an invoice.']) })
  })
})

describe('the customer', () => {
  it('is found by name or address, also of a contact; of several none is taken', async () => {
    const [one, two] = [await customer('Northwind Traders, LLC', { email: 'books@northwind.example' }), await customer('Contoso')]
    await customer('Twin Peaks')
    await customer('Twin Peaks')
    await team.client.post(`/customers/${two}/contacts`, { name: 'Cleo', email: 'Cleo@Contoso.example', receives: ['invoices'] })
    const { data } = await send([
      file('1.txt', invoice('N-1', 'NORTHWIND TRADERS')), file('2.txt', invoice('N-2', 'Nobody Knows', { note: 'books@northwind.example' }).replace('Bill to: Nobody Knows', 'Bill to: Nobody Knows (books@northwind.example)')),
      file('3.txt', invoice('N-3', 'C. Toso <cleo@contoso.example>')), file('4.txt', invoice('N-4', 'Twin Peaks')), file('5.txt', invoice('N-5', 'Who Is This')),
    ])
    expect(data.results.map(({ customer_id, invoice: made }: any) => [customer_id, made?.customer_id ?? null])).toEqual([[one, one], [one, one], [two, two], [null, null], [null, null]])
    expect(data.results.slice(1).map(({ warnings }: any) => warnings.at(-1))).toEqual([
      'The customer Northwind Traders, LLC was found by the address books@northwind.example; the document names Nobody Knows.',
      'The customer Contoso was found by the address cleo@contoso.example; the document names C. Toso.',
      'Several customers fit Twin Peaks: send customer_id.',
      'There is no customer Who Is This: create it, send customer_id, or ask for create_customers.',
    ])
  })

  it('is made where that is asked for, once for all documents, and not where several could be meant', async () => {
    const on = await newBusiness()
    const { data } = await send([file('1.txt', invoice('A-1', 'Fresh Fields GmbH')), file('2.txt', invoice('A-2', 'Fresh Fields GmbH')), file('3.txt', 'Please invoice Blue Harbour for 2 hours of diving at €90.00')], { create_customers: true }, on)
    const made = data.results.map(({ invoice: draft }: any) => [draft.customer_name, draft.currency])
    expect(made).toEqual([['Fresh Fields GmbH', 'USD'], ['Fresh Fields GmbH', 'USD'], ['Blue Harbour', 'EUR']])
    expect((await on.client.get('/customers')).data.items.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Blue Harbour', 'Fresh Fields GmbH'])
    expect(data.results[0].warnings).toContain('The customer Fresh Fields GmbH was created.')
  })

  it('that the call names counts for all; an archived one is refused', async () => {
    const chosen = await customer('Chosen')
    const { data } = await send([file('c.txt', invoice('C-1', 'Somebody Else'))], { customer_id: chosen })
    expect(data.results[0]).toMatchObject({ customer_id: chosen, invoice: { customer_id: chosen } })
    const gone = await customer('Gone')
    await team.client.put(`/customers/${gone}/archive`, {})
    const refused = await send([file('c.txt', invoice('C-2', 'Gone'))], { customer_id: gone })
    expect([refused.status, refused.detail]).toEqual([400, 'The customer Gone is archived: restore it, or choose another.'])
    expect((await send([file('c2.txt', invoice('C-3', 'Gone'))])).data.results[0]).toMatchObject({ invoice: null, warnings: ['The customer Gone is archived: restore it, or send customer_id.'] })
  })
})

describe('what was seen before', () => {
  it('is only reported, until its draft is deleted; two calls at once make one draft', async () => {
    await customer('Repeat Ltd')
    const document = file('again.txt', invoice('R-1', 'Repeat Ltd'))
    const both = await Promise.all([send([document]), send([document])])
    const drafts = both.flatMap(({ data }) => data.results[0].invoice ?? [])
    expect(drafts).toHaveLength(1)
    const [{ id }] = drafts
    const reported = both.map(({ data }) => data.results[0]).find(({ invoice: made }) => made === null)
    expect(reported).toMatchObject({ status: 'reported', duplicate_of: id, extracted: null, warnings: ['again.txt became the invoice R-1 before: it was not read again.'] })
    await team.client.delete(`/invoices/${id}`)
    const anew = (await send([document, document])).data.results
    expect(anew.map(({ status, invoice: made, warnings }: any) => [status, made?.number ?? null, warnings])).toEqual([['read', 'R-1', []], ['reported', null, ['again.txt is the same file as again.txt: it was read once.']]])
  })

  it('by number, customer and total is named; by number alone the draft goes without', async () => {
    await customer('Number Ltd')
    await customer('Other Ltd')
    const first = (await send([file('n1.txt', invoice('X-1', 'Number Ltd'))])).data.results[0].invoice
    const { data } = await send([file('n2.txt', invoice('X-1', 'Number Ltd', { note: 'copy' })), file('n3.txt', invoice('X-1', 'Other Ltd')), file('n4.txt', invoice('X-4', 'Other Ltd')), file('n5.txt', invoice('X-4', 'Other Ltd', { note: 'copy' }))])
    expect(data.results[0]).toMatchObject({ status: 'read', invoice: null, duplicate_of: first.id, warnings: ['The invoice X-1 of this customer has the same total: no draft was made.'] })
    expect(data.results[1]).toMatchObject({ invoice: { number: null }, duplicate_of: null, warnings: ['The number X-1 is used by another invoice: the draft has none.'] })
    expect(data.results[3]).toMatchObject({ invoice: null, duplicate_of: data.results[2].invoice.id, warnings: ['n4.txt has the same number, customer and total: no second draft was made.'] })
  })

  it('under an idempotency key is the same answer', async () => {
    await customer('Once Ltd')
    const call = () => team.client.post('/invoices/ai-create', { documents: [file('once.txt', invoice('O-1', 'Once Ltd'))] }, { headers: { 'idempotency-key': 'read-once' } })
    const [one, two] = [await call(), await call()]
    expect(two.body).toEqual(one.body)
    expect(two.headers.get('idempotent-replayed')).toBe('true')
  })
})

it('a dry run reads and keeps nothing', async () => {
  await customer('Dry Ltd')
  const { status, data } = await team.client.post('/invoices/ai-create', { documents: [file('dry.txt', invoice('DRY-1', 'Dry Ltd'))] }, { query: { dry_run: true } })
  expect([status, data.results[0].invoice.number]).toEqual([201, 'DRY-1'])
  expect(await sql(`select 1 from invoices where business_id = $1 and number = 'DRY-1'`, [team.business_id])).toEqual([])
  expect(await sql('select 1 from ai_jobs where id = $1', [data.job_id])).toEqual([])
})

describe('refused is', () => {
  const good = () => file('x.txt', 'Please invoice ACME for 2 hours of work at $10.00')

  it.each<[object, (string | number)[][]]>([
    [{ documents: [] }, [['documents']]],
    [{ documents: Array.from({ length: 21 }, good) }, [['documents']]],
    [{ documents: [{}] }, [['documents', 0, 'file_name'], ['documents', 0, 'content_base64']]],
    [{ documents: [good(), { file_name: 'y', content_base64: 'not base64!' }] }, [['documents', 1, 'content_base64']]],
    [{ documents: [{ document_id: 'x' }] }, [['documents', 0, 'document_id']]],
    [{ documents: [good()], create_customers: 'yes' }, [['create_customers']]],
    [{}, [['documents']]],
  ])('a body like %j', async (body, places) => {
    const { status, detail } = await team.client.post('/invoices/ai-create', body)
    expect([status, detail.map(({ loc }: { loc: string[] }) => loc.slice(1))]).toEqual([422, places])
  })

  it('what is not there: a customer, an uploaded document', async () => {
    const unknown = '01900000-0000-7000-8000-000000000000'
    expect((await send([good()], { customer_id: unknown })).status).toBe(404)
    expect((await send([{ document_id: unknown }])).status).toBe(404)
  })

  it('whoever may not write invoices, or not make customers, or where it is turned off; before anything is looked at', async () => {
    const viewer = await newMember(team.business_id, 'viewer')
    expect((await viewer.client.post('/invoices/ai-create', {})).status).toBe(403)
    const token = (await team.client.post('/api-tokens', { name: 'Reader', scopes: ['invoices:write', 'invoices:read', 'customers:read'] })).data.token
    const narrow = await team.client.post('/invoices/ai-create', { documents: [good()], create_customers: true }, { token })
    expect([narrow.status, narrow.detail]).toEqual([403, 'To create customers you need the permission customers:write.'])
    const off = await newBusiness()
    await off.client.patch(`/businesses/${off.business_id}/settings`, { ai: { enabled: false } })
    expect((await send([good()], {}, off)).status).toBe(403)
    const stranger = await newBusiness()
    expect((await stranger.owner.client.post('/invoices/ai-create', { documents: [good()] }, { business_id: team.business_id })).status).toBe(403)
  })

  it('another business: its files and customers are not seen', async () => {
    await customer('Private Ltd')
    const document = file('private.txt', invoice('P-1', 'Private Ltd'))
    await send([document])
    const other = await newBusiness()
    expect((await send([document], {}, other)).data.results[0]).toMatchObject({ status: 'read', invoice: null, customer_id: null, duplicate_of: null })
  })
})
