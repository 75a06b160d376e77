import { beforeAll, describe, expect, it } from 'vitest'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { findBusiness } from '../../access/lookup.ts'
import { asSystem, plainRequest, transact } from '../../foundation/database/transact.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { hashToken } from '../../foundation/secrets.ts'
import { createLinks, linkGenerations, linkToken, openLink, revokeLink, rotateLink } from './operations.ts'
import { tokenOf } from './rules.ts'

let team: Team
beforeAll(async () => {
  team = await newBusiness()
})

async function inside<T>(work: (tx: BusinessTx) => Promise<T>, of: Team = team): Promise<T> {
  const { program } = await service()
  const business = await findBusiness(program.database, of.business_id)
  if (!business) throw new Error('No business.')
  return asSystem(program.database, business, 'test', work)
}

/** What the link opens, or the sentence that refuses. */
async function opened(token: string): Promise<unknown> {
  const { program } = await service()
  return transact(program.database, { business_id: null, read_only: true, request: plainRequest }, async ({ tx }) => {
    const link = await openLink(tx, token)
    return { business_id: link.tx.business_id, document_type: link.document_type, document_id: link.document_id, actor: link.tx.actor.kind, permissions: link.tx.actor.permissions.size }
  }).catch((error: Error) => error.message)
}

const made = (...ids: string[]) => inside(async (tx) => {
  createLinks(tx, ids.map((document_id) => ({ document_type: 'invoice', document_id })))
  return ids.map((document_id) => linkToken(tx, 'invoice', document_id))
})
const GONE = 'Document not found.'

describe('links of documents', () => {
  it('open their document and nothing else; only the hash is kept', async () => {
    const ids = [newId(), newId()]
    const tokens = await made(...ids)
    expect(new Set(tokens).size).toBe(2)
    for (const [index, token] of tokens.entries()) {
      expect(token).toMatch(/^[\w-]{43}$/)
      expect(await opened(token)).toEqual({ business_id: team.business_id, document_type: 'invoice', document_id: ids[index], actor: 'public_link', permissions: 0 })
    }
    const rows = await sql('select token_hash from document_links where document_id = any($1) order by document_id', [ids])
    expect(rows.map(({ token_hash }) => token_hash)).toEqual(tokens.map(hashToken))
  })

  it('made twice are made once', async () => {
    const id = newId()
    const [first] = await made(id)
    const [second] = await made(id)
    expect(second).toBe(first)
    expect(await sql('select from document_links where document_id = $1', [id])).toHaveLength(1)
    await inside(async (tx) => createLinks(tx, []))
  })

  it('rotated, the old one is dead and the new one opens the same', async () => {
    const [id, other] = [newId(), newId()]
    const [old = '', bystander = ''] = await made(id, other)
    const next = await inside((tx) => rotateLink(tx, 'invoice', id))
    expect(next).toEqual({ generation: 2, token: expect.stringMatching(/^[\w-]{43}$/) })
    expect(await opened(old)).toBe(GONE)
    expect(await opened(next.token)).toMatchObject({ document_id: id })
    expect(await opened(bystander)).toMatchObject({ document_id: other })
    expect(await inside((tx) => linkGenerations(tx, 'invoice', [id, other, newId()]))).toEqual(new Map([[id, 2], [other, 1]]))
    const third = await inside((tx) => rotateLink(tx, 'invoice', id))
    expect([third.generation, await opened(next.token)]).toEqual([3, GONE])
  })

  it('unknown, revoked, misshapen and foreign ones are the same', async () => {
    const id = newId()
    const [token = ''] = await made(id)
    await inside(async (tx) => revokeLink(tx, 'invoice', id))
    const stranger = await newBusiness()
    const foreign = await inside(async (tx) => linkToken(tx, 'invoice', id), stranger)
    for (const dead of [token, foreign, 'x', '', `${token}x`, token.slice(1), 'é'.repeat(43)]) expect(await opened(dead)).toBe(GONE)
  })

  it('depend on everything that names the document, and on the key', () => {
    const key = Buffer.alloc(32, 1)
    const document = { document_type: 'invoice', document_id: 'b' }
    const tokens = [
      tokenOf(key, 'a', document, 1), tokenOf(key, 'a', document, 2), tokenOf(key, 'b', document, 1), tokenOf(Buffer.alloc(32, 2), 'a', document, 1),
      tokenOf(key, 'a', { ...document, document_type: 'estimate' }, 1), tokenOf(key, 'a', { ...document, document_id: 'c' }, 1),
    ]
    expect(new Set(tokens).size).toBe(tokens.length)
    expect(tokenOf(key, 'a', document, 1)).toBe(tokens[0])
  })

  it('are not made where the transaction is undone', async () => {
    const id = newId()
    await expect(inside(async (tx) => {
      createLinks(tx, [{ document_type: 'invoice', document_id: id }])
      throw new Error('Undone.')
    })).rejects.toThrow('Undone.')
    expect(await sql('select from document_links where document_id = $1', [id])).toEqual([])
  })
})
