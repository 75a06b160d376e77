// The story of a deck: from the books to slides, words and a link for people outside, while the books go on.
import { expect, it } from 'vitest'
import { chartOf, post } from '../support/books.ts'
import { client } from '../support/client.ts'
import { metricOn, newDeck, refreshed } from '../support/decks.ts'
import { newSeller, ok } from '../support/sales.ts'
import { service } from '../support/service.ts'

it('a deck of March is made, goes stale, is refreshed, shared, frozen and taken back', async () => {
  const seller = await newSeller()
  const { named, role } = await chartOf(seller.business_id)
  const sell = (unit_price: number) => seller.open({ line_items: [{ description: 'Work', unit_price }], invoice_date: '2026-03-10' })
  await sell(150_000)
  await sell(50_000)
  await post(seller.business_id, { date: '2026-03-20', lines: [[named('Rent'), 80_000], [role('accounts_payable'), -80_000]] })

  const path = '/ai-reporting/decks'
  const made = await newDeck(seller.client)
  const one = `${path}/${made.id}`
  const current = async () => ok(await seller.client.get(one))
  const shown = (deck: any) => [metricOn(deck, 'revenue').value_cents, metricOn(deck, 'net_income').value_cents]
  const profit = ok(await seller.client.get('/reports/profit-and-loss', { start_date: '2026-03-01', end_date: '2026-03-31' }))
  const row = (key: string) => profit.rows.find((each: any) => each.key === key).cells[0].amount
  expect(shown(made)).toEqual([200_000, 120_000])
  expect([row('revenue'), row('net_income')]).toEqual([200_000, 120_000])

  const [, second] = made.slides
  const text = second.blocks.find(({ kind }: any) => kind === 'text')
  ok(await seller.client.patch(`${one}/slides/${second.id}`, { blocks: [{ id: text.id, text: 'Said by a person.' }] }))
  await sell(30_000)
  const stale = await current()
  expect([stale.stale, ...shown(stale)]).toEqual([true, 200_000, 120_000])
  const fresh = await refreshed(seller.client, made.id)
  expect([fresh.stale, ...shown(fresh)]).toEqual([false, 230_000, 150_000])
  expect(fresh.slides[1].blocks.find(({ id }: any) => id === text.id)).toMatchObject({ text: 'Said by a person.', edited: true })

  ok(await seller.client.post(`${one}/slides/${second.id}/toggle-hidden`))
  const share = ok(await seller.client.post(`${one}/share`, { mode: 'snapshot', password: 'a long password' }))
  const stranger = client(null)
  const page = `/public/dashboards/${share.token}`
  expect((await stranger.get(page)).status).toBe(401)
  expect((await stranger.post(`${page}/unlock`, { password: 'a wrong password' })).status).toBe(401)
  const { view_token } = ok(await stranger.post(`${page}/unlock`, { password: 'a long password' }))
  const look = (more = '') => stranger.get(`${page}${more}`, {}, { headers: { 'x-share-access': view_token } })
  const seen = ok(await look())
  expect(seen.slides).toHaveLength(fresh.slides.length - 1)
  expect((await look(`/slides/${second.id}`)).status).toBe(404)

  const revenue = async () => ok(await look('/data')).figures.find(({ label }: any) => label === 'Net revenue').value_cents
  expect(await revenue()).toBe(230_000)
  await sell(10_000)
  expect(shown(await refreshed(seller.client, made.id))).toEqual([240_000, 160_000])
  expect(await revenue()).toBe(230_000)

  // The report of that moment still says what the slides said, and so does the page that people see.
  const then = ok(await seller.client.get('/reports/profit-and-loss', { start_date: '2026-03-01', end_date: '2026-03-31', known_at: fresh.data_as_of }))
  const amounts = new Map(then.rows.map(({ key, cells }: any) => [key, cells[0].amount]))
  const table = fresh.slides.find(({ title }: any) => title === 'Profit and loss').blocks[0].figures.filter(({ column }: any) => column === 'total')
  expect(table.map(({ row: key, value_cents }: any) => [key, value_cents])).toEqual(table.map(({ row: key }: any) => [key, amounts.get(key)]))
  const open = ok(await seller.client.post(`${one}/share`, { mode: 'live' }))
  const html = (await (await fetch(`${(await service()).url}/share/${open.token}`)).text()).replaceAll('\u00a0', ' ')
  const now = (await current()).slides.find(({ title }: any) => title === 'Profit and loss').blocks[0].figures
  for (const { formatted } of now) expect(html).toContain(formatted.replaceAll('\u00a0', ' '))

  const ids = (await current()).slides.map(({ id }: any) => id)
  expect((await seller.client.post(`${one}/slides/reorder`, { slide_ids: ids.slice(1) })).status).toBe(400)
  const figure = { id: fresh.slides[1].blocks[0].id, figures: [{ key: 'revenue@total', value_cents: 1 }] }
  expect((await seller.client.patch(`${one}/slides/${second.id}`, { blocks: [figure] })).status).toBe(422)
  expect(ok(await seller.client.delete(`/ai-reporting/shares/${share.id}`))).toMatchObject({ status: 'revoked' })
  expect((await look()).status).toBe(404)
  expect((await stranger.post(`${page}/unlock`, { password: 'a long password' })).status).toBe(404)
})
