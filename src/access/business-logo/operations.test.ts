import { beforeAll, expect, it } from 'vitest'
import { eventsOf } from '../../../test/support/events.ts'
import { client } from '../../../test/support/client.ts'
import { newBusiness, newMember, type Team } from '../../../test/support/people.ts'
import { jpegHead, samplePng } from '../../../test/support/pictures.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
beforeAll(async () => {
  team = await newBusiness()
})
const path = () => `/businesses/${team.business_id}/logo`
const put = (content: Buffer) => team.client.put(path(), { content_base64: content.toString('base64') })

it('is set, shown, replaced and removed', async () => {
  expect((await team.client.get(path())).status).toBe(404)
  const picture = samplePng(30, 20)
  const set = await put(picture.content)
  expect(set).toMatchObject({ status: 200, data: { id: team.business_id, content_type: 'image/png', width: 30, height: 20, size: picture.content.length } })
  const { url } = await service()
  const shown = await fetch(`${url}/api/v1${path()}`, { headers: { authorization: `Bearer ${team.owner.token}`, 'x-business-id': team.business_id } })
  expect(shown.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(await shown.arrayBuffer()).equals(picture.content)).toBe(true)
  expect((await put(jpegHead(64, 48))).data).toMatchObject({ content_type: 'image/jpeg', width: 64, height: 48 })
  expect((await team.client.delete(path())).data).toEqual({ removed: true })
  expect((await team.client.delete(path())).data).toEqual({ removed: false })
  expect((await team.client.get(path())).status).toBe(404)
  expect((await eventsOf(team.business_id)).filter((type) => type.startsWith('business_logo'))).toEqual(['business_logo.changed', 'business_logo.changed', 'business_logo.removed'])
})

it('what is no picture, or too much of one, is refused', async () => {
  const other = await put(Buffer.from('%PDF-1.7'))
  expect([other.status, other.detail]).toEqual([400, 'The file is neither a PNG nor a JPEG picture.'])
  const large = await put(Buffer.concat([samplePng(1, 1).content, Buffer.alloc(524_288)]))
  expect([large.status, large.detail[0].type]).toEqual([422, 'string_too_long'])
})

it('is a matter of those who may change the business', async () => {
  const viewer = await newMember(team.business_id, 'viewer')
  expect((await viewer.client.put(path(), { content_base64: samplePng(1, 1).content.toString('base64') })).status).toBe(403)
  const stranger = await newBusiness()
  expect((await client(stranger.owner.token).get(path())).status).toBe(403)
  expect((await client(team.owner.token).get(`/businesses/${newId()}/logo`)).status).toBe(403)
})
