// The console in a real browser: from signing up to the first paid invoice, a month closed, an app cut off, the plan moved.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/foundation/ids.ts'
import { client } from '../support/client.ts'
import { runJobs } from '../support/jobs.ts'
import { connect, newApp } from '../support/oauth.ts'
import { mailedToken, newBusiness, PASSWORD, sql } from '../support/people.ts'
import { businessOn } from '../support/plans.ts'
import { openBrowser, signIn, visit } from './browser.ts'
import { chromiumPath } from './chromium.ts'

describe.runIf(chromiumPath)('in the console', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  it('somebody signs up, founds a business and is paid for the first invoice', async () => {
    const { page, problems } = await visit(browser)
    const email = `${newId()}@example.com`
    await page.getByRole('link', { name: /account/ }).click()
    await page.getByRole('textbox', { name: 'Your name' }).fill('Pat Example')
    await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Make an account' }).click()
    await page.getByRole('heading', { name: 'Look into your mail' }).waitFor()
    await page.goto(`/verify-email?token=${await mailedToken(email)}`)
    await page.getByText(/verified|yours/i).first().waitFor()
    await page.goto('/sign-in')
    await signIn(page, { email })
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Harbor Coffee Roasters')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(/\/welcome/)
    await page.getByRole('link', { name: 'Invoices', exact: true }).click()
    await page.getByRole('link', { name: 'New invoice' }).click()

    await page.getByRole('combobox', { name: 'Customer' }).pressSequentially('Blue Door Books')
    await page.getByRole('option', { name: /Make the customer/ }).click()
    await page.getByRole('combobox', { name: 'Line 1: what is sold' }).or(page.getByRole('textbox', { name: 'Line 1: what is sold' })).fill('Espresso beans')
    await page.getByRole('textbox', { name: 'Line 1: quantity' }).fill('12')
    await page.getByRole('textbox', { name: 'Line 1: price' }).fill('14.50')
    await page.getByText('$174.00').first().waitFor()
    await page.getByRole('button', { name: 'Save and finalize' }).click()
    await page.getByRole('heading', { name: /INV-0001/ }).waitFor()
    await page.getByRole('button', { name: 'Record payment' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Record payment' }).click()
    await page.getByText('Paid', { exact: true }).first().waitFor()
    const [invoice] = await sql(`select i.status, i.total_paid::int from invoices i join memberships m on m.business_id = i.business_id join users u on u.id = m.user_id where u.email = $1`, [email])
    expect(invoice).toEqual({ status: 'manual_paid', total_paid: 17_400 })
    expect(problems).toEqual([])
  })

  it('an accountant closes a month and gets its certificate', async () => {
    const { owner, business_id } = await newBusiness()
    const { page, problems } = await visit(browser)
    await signIn(page, owner)
    await page.getByRole('link', { name: 'Periods' }).click()
    await page.getByRole('link', { name: /January 2026|Jan.* 2026/ }).first().click()
    const accepted = page.getByRole('checkbox', { name: /seen the warnings/ })
    await page.getByRole('button', { name: 'Close January' }).waitFor()
    if (await accepted.isVisible()) await accepted.check()
    await page.getByRole('button', { name: 'Close January' }).click()
    await page.getByText('Nothing has changed').waitFor()
    expect(await sql(`select status from accounting_periods where business_id = $1 and start_date = '2026-01-01'`, [business_id])).toEqual([{ status: 'closed' }])
    expect(problems).toEqual([])
  })

  it('an owner cuts off a connected app, at once', async () => {
    const { owner, business_id } = await newBusiness()
    const { access_token } = await connect(await newApp(owner), owner, [business_id])
    const app = client(access_token, business_id)
    expect((await app.get('/notes')).status).toBe(200)
    const { page, problems } = await visit(browser)
    await signIn(page, owner)
    await page.goto('/settings/apps')
    await page.getByRole('link', { name: 'Shop Connector' }).click()
    await page.getByRole('button', { name: /Revoke|Cut/ }).first().click()
    await page.getByRole('dialog').getByRole('textbox').fill('No longer used')
    await page.getByRole('dialog').getByRole('button', { name: /Revoke|Cut/ }).click()
    await page.getByText('No longer used').first().waitFor()
    expect((await app.get('/notes')).status).toBe(401)
    expect(problems).toEqual([])
  })

  it('a grandfathered business moves to a plan', async () => {
    const { owner, business_id } = await businessOn('grandfathered')
    const { page } = await visit(browser)
    await signIn(page, owner)
    await page.goto('/settings/plan')
    await page.getByRole('button', { name: /Move/ }).first().click()
    await page.getByRole('textbox', { name: /Card number/i }).fill('4242424242424242')
    await page.getByRole('textbox', { name: /Expiry/i }).fill('12/90')
    await page.getByRole('textbox', { name: /CVC|code/i }).fill('123')
    await page.getByRole('button', { name: /Pay/ }).click()
    await page.waitForURL(/\/settings\/plan/)
    await runJobs(business_id)
    await page.reload()
    await page.getByText('Thank you').waitFor()
    expect((await sql('select plan_tier from businesses where id = $1', [business_id]))[0].plan_tier).not.toBe('grandfathered')
  })

  it('a deck from generation to a shared page', async () => {
    const { owner, business_id } = await newBusiness()
    const { page, problems } = await visit(browser)
    await signIn(page, owner)
    await page.goto('/decks/new')
    await page.getByRole('radio', { name: 'Custom' }).check()
    await page.getByRole('button', { name: 'Make the deck' }).click()
    await page.getByText('Waiting to begin').waitFor()
    await runJobs(business_id)
    await page.getByText('Slide 1 of').waitFor()

    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    const slides = page.getByRole('navigation', { name: 'Slides' })
    await slides.getByRole('button', { name: 'Summary', exact: false }).first().click()
    await page.getByRole('textbox', { name: /Words of/ }).fill('A quiet month, told by ourselves.')
    await page.getByRole('button', { name: 'Save the slide' }).click()
    await page.getByText('Edited by a person').or(page.getByText('Written by a person')).first().waitFor()
    await page.getByRole('button', { name: 'More about Profit and loss' }).click()
    await page.getByRole('menuitem', { name: 'Hide the slide' }).click()
    await slides.getByText('Hidden').waitFor()
    await page.getByRole('link', { name: 'Done' }).click()

    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('textbox', { name: 'Password' }).fill('quiet green lamps')
    await page.getByRole('button', { name: 'Make a link' }).click()
    const link = await page.getByText(/\/share\//).innerText()
    await page.getByRole('button', { name: 'I have kept it' }).click()

    const stranger = await (await browser.newContext()).newPage()
    const address = new URL(new URL(link).pathname, page.url()).href
    await stranger.goto(address)
    await stranger.getByRole('textbox', { name: 'Password' }).fill('quiet green lamps')
    await stranger.getByRole('button', { name: 'Open' }).click()
    await stranger.getByText('A quiet month, told by ourselves.').waitFor()
    expect(await stranger.getByRole('heading', { name: 'Profit and loss' }).count()).toBe(0)

    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog', { name: 'Revoke' }).getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('The link was revoked.').waitFor()
    expect((await stranger.goto(address))?.status()).toBe(404)
    expect(problems).toEqual([])
  })
})
