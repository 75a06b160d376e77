import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { letGo, problemsOf, whileDamaged } from '../../../test/support/damage.ts'
import { EXAMPLE_NOW, exampleBooks, type Example } from '../../../test/support/example-books.ts'
import { newBusiness, newMember, newToken } from '../../../test/support/people.ts'
import { client } from '../../../test/support/client.ts'
import { randomBooks, randomOf, seedFrom } from '../../../test/support/random-books.ts'
import { service } from '../../../test/support/service.ts'
import { verifyAll } from '../../app/commands/verify.ts'
import { verifications } from '../../app/verifications.ts'

const seed = seedFrom('BOOKS_SEED')
const attempts = Number(process.env['BOOKS_ATTEMPTS'] ?? 150)

let example: Example
beforeAll(async () => {
  (await service()).clock.set(EXAMPLE_NOW)
  example = await exampleBooks()
})
afterAll(async () => {
  (await service()).clock.set(null)
  await letGo()
})

describe('verifying', () => {
  it('answers every claim of the program with what was looked at', async () => {
    const { status, data } = await example.client.get('/books/verification')
    expect(status).toBe(200)
    expect(data).toMatchObject({ ok: true, checked_at: '2026-07-15T18:00:00.000Z', journal_number: 24 })
    expect(data.checks.map(({ claim }: any) => claim)).toEqual(verifications.map(({ claim }) => claim))
    expect(new Set(verifications.map(({ claim }) => claim)).size).toBe(verifications.length)
    const ofTheBooks = data.checks.slice(1, 25)
    expect(ofTheBooks.filter(({ checked }: any) => checked === 0)).toEqual([])
  })

  it('says what is off, as the command line does', async () => {
    const other = await newBusiness()
    const damage = 'update journal_entries set total = total + 1 where business_id = $1 and number = 1'
    const { program } = await service()
    const [answer, elsewhere, rows] = await whileDamaged(example.business_id, 'journal_entries', damage, () => Promise.all([
      example.client.get('/books/verification'), other.client.get('/books/verification'), verifyAll(program.database, example.business_id),
    ]))
    const problems = ['entry 1 says 2 lines and a total of 500.01; it has 2 and 500.00']
    const off = { claim: 'Every entry has the lines and the total that it says', checked: 24, problems }
    expect(answer.data.ok).toBe(false)
    expect(answer.data.checks.filter(({ ok }: any) => !ok)).toEqual([{ ...off, ok: false }])
    expect(elsewhere.data).toMatchObject({ ok: true, journal_number: 0 })
    expect(rows.filter((row) => row.problems.length > 0)).toEqual([
      { ...off, businesses: 1, problems: [`Test Trading (${example.business_id}): ${problems[0]}`] },
    ])
  })

  it('is for accountants', async () => {
    for (const [role, status] of [['admin', 200], ['accountant', 200], ['bookkeeper', 403], ['approver', 403], ['viewer', 403]] as const) {
      const member = await newMember(example.business_id, role)
      expect([role, (await member.client.get('/books/verification')).status]).toEqual([role, status])
    }
    const token = await newToken(example.owner, ['books:read'])
    expect((await client(token, example.business_id).get('/books/verification')).status).toBe(200)
  })

  it(`finds nothing in random books (BOOKS_SEED=${seed} BOOKS_ATTEMPTS=${attempts})`, async () => {
    const own = await newBusiness()
    const { refused } = await randomBooks(own.business_id, attempts, randomOf(seed))
    expect(refused.length).toBeLessThan(attempts / 2)
    expect(await problemsOf(own.client)).toEqual({})
  }, 600_000)
})
