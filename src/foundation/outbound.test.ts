import { createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hang, startReceiver, type Receiver } from '../../test/support/receiver.ts'
import { isPublicAddress, openOutbound, urlProblem, type OutboundRequest } from './outbound.ts'

const INNER = [
  '127.0.0.1', '127.255.255.254', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '169.254.169.254', '100.64.0.1', '100.100.100.200', '0.0.0.0', '0.1.2.3',
  '224.0.0.1', '255.255.255.255', '240.0.0.1', '192.0.0.192', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '192.88.99.1', '168.63.129.16',
  '::', '::1', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'fec0::1', 'ff02::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '::ffff:0:10.0.0.1', '64:ff9b::7f00:1',
  '64:ff9b:1::1', '2002:7f00:1::', '2001::1', '2001:db8::1', '100::1', '3fff::1', '5f00::1', '4000::1',
]
const OUTER = ['8.8.8.8', '1.1.1.1', '93.184.215.14', '172.15.0.1', '172.32.0.1', '100.63.255.255', '2606:4700::1111', '2a00:1450:4001::200e']

describe('addresses', () => {
  it.each(INNER)('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false))
  it.each(OUTER)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))

  it('whatever is no address is not public, and no inner address is, in any form', () => {
    fc.assert(fc.property(fc.string(), (text) => !isPublicAddress(text) || /^[\d.a-fx:%]+$/i.test(text)))
    const inner = fc.tuple(fc.constantFrom(0x0a000000, 0x7f000000, 0xac100000, 0xc0a80000, 0xa9fe0000), fc.integer({ min: 0, max: 0xffff })).map(([base, rest]) => base + rest)
    fc.assert(fc.property(inner, (number) => {
      const parts = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255)
      const forms = [
        parts.join('.'), String(number), `0x${number.toString(16)}`, `0${number.toString(8)}`, parts.map((part) => `0x${part.toString(16)}`).join('.'), parts.map((part) => `0${part.toString(8)}`).join('.'),
        `${parts[0]}.${number & 0xffffff}`, `[::ffff:${parts.join('.')}]`, `[64:ff9b::${parts.join('.')}]`, `[2002:${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}::1]`, `${parts.join('.')}.`,
      ]
      for (const form of forms) expect([form, urlProblem(`https://${form}/hook`, false)?.kind]).toEqual([form, 'address'])
    }))
  })
})

describe('URLs', () => {
  it.each(['', 'hooks', '/hook', 'ftp://example.com', 'http://example.com', 'https://', 'https://user@example.com', 'https://user:pass@example.com', 'https://example.com/#part',
    'https://example.com:80', 'https://example.com:22/', 'javascript:alert(1)', 'file:///etc/passwd', `https://example.com/${'x'.repeat(2_048)}`])('%s is none to call', (url) => expect(urlProblem(url, false)?.kind).toBe('form'))
  it.each(['https://example.com/hook', 'https://example.com:8443/hook?key=1', 'https://1.1.1.1/', 'https://[2606:4700::1111]:3000/'])('%s is', (url) => expect(urlProblem(url, false)).toBeNull())
  it('inner ones are, where that is allowed', () => {
    expect(urlProblem('http://127.0.0.1:3000/hook', true)).toBeNull()
    expect(urlProblem('ftp://127.0.0.1/', true)?.kind).toBe('form')
  })
})

describe('calls', () => {
  let receiver: Receiver
  const call = { headers: { 'x-test': 'yes' }, body: '{"a":1}', timeout_ms: 1_000 }
  const here = openOutbound({ allow_private: true })
  const post = (path: string, more: Partial<OutboundRequest> = {}) => here.post({ ...call, url: `${receiver.url}${path}`, ...more })
  beforeAll(async () => (receiver = await startReceiver()))
  afterAll(() => receiver.stop())

  it('are answered, and the answer is kept as text up to 2 KiB', async () => {
    expect(await post('/plain')).toMatchObject({ status: 200, error: null, answer: 'answer 200', ended: false })
    expect(receiver.at('/plain')).toMatchObject([{ body: '{"a":1}', headers: { 'x-test': 'yes', connection: 'close' } }])
    receiver.answer('/bytes', (_, response) => response.writeHead(200).end(Buffer.from([0, 255, 65])))
    expect((await post('/bytes')).answer).toBe('\ufffd\ufffdA')
  })

  it('do not read more than that, however much comes', async () => {
    receiver.answer('/huge', (_, response) => {
      const more = () => !response.destroyed && response.write('x'.repeat(65_536), () => setImmediate(more))
      response.writeHead(200)
      more()
    })
    const { status, answer } = await post('/huge')
    expect([status, answer.length]).toEqual([200, 2_048])
  })

  it('follow no redirect', async () => {
    receiver.answer('/away', (_, response) => response.writeHead(302, { location: `${receiver.url}/inside` }).end())
    expect((await post('/away')).status).toBe(302)
    expect(receiver.at('/inside')).toEqual([])
  })

  it('do not wait for who hangs, and hold no answer against its slow end', async () => {
    receiver.answer('/hang', hang)
    expect(await post('/hang', { timeout_ms: 100 })).toMatchObject({ status: null, error: 'No answer within 0.1 seconds.' })
    receiver.answer('/half', (_, response) => response.writeHead(202).write('half'))
    expect(await post('/half', { timeout_ms: 300 })).toMatchObject({ status: 202, answer: 'half' })
    const ending = new AbortController()
    const broken = post('/hang', { ended: ending.signal })
    ending.abort()
    expect((await broken).ended).toBe(true)
  })

  it('say what went wrong', async () => {
    const garbage = createServer((socket) => socket.on('error', () => {}).resume().end('SSH-2.0-OpenSSH\r\n')).listen(0, '127.0.0.1')
    await once(garbage, 'listening')
    const { port } = garbage.address() as AddressInfo
    expect((await here.post({ ...call, url: `http://127.0.0.1:${port}/` })).error).toBe('The answer was not HTTP.')
    garbage.close()
    await once(garbage, 'close')
    expect((await here.post({ ...call, url: `http://127.0.0.1:${port}/` })).error).toBe('The connection was refused.')
    expect((await here.post({ ...call, url: receiver.url.replace('http:', 'https:') })).error).toContain('could not be secured')
    expect((await openOutbound({ allow_private: false }).post({ ...call, url: receiver.url })).error).toBe('Must begin with https://.')
  })
})

describe('names', () => {
  const unknown = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
  const refusal = (host: string) => `${host} is not a public address: the url must be reachable from the internet.`

  it('are refused where any of their addresses is an inner one, or nobody knows them', async () => {
    const found: Record<string, string[]> = { 'out.test': ['93.184.215.14', '2606:4700::1111'], 'in.test': ['10.0.0.1'], 'both.test': ['93.184.215.14', '::1'], 'mapped.test': ['::ffff:10.0.0.1'] }
    const outbound = openOutbound({ allow_private: false, resolve: (name) => (found[name] ? Promise.resolve(found[name]) : unknown()) })
    expect(await outbound.check('https://out.test/')).toBeNull()
    for (const host of ['in.test', 'both.test', 'mapped.test']) expect(await outbound.check(`https://${host}/`)).toEqual({ kind: 'address', detail: refusal(host) })
    expect(await outbound.check('https://nowhere.test/')).toMatchObject({ kind: 'address', detail: expect.stringContaining('nobody knows') })
    const away = openOutbound({ allow_private: false, resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ESERVFAIL' })) })
    expect(await away.check('https://out.test/')).toBeNull()
  })

  it('that change between the check and the call do not lead inside', async () => {
    const answers = [['93.184.215.14'], ['127.0.0.1']]
    const outbound = openOutbound({ allow_private: false, resolve: async () => answers.shift() ?? [] })
    expect(await outbound.check('https://rebound.test/')).toBeNull()
    expect(await outbound.post({ url: 'https://rebound.test/', headers: {}, body: '', timeout_ms: 500 })).toMatchObject({ status: null, error: refusal('rebound.test') })
  })

  it('are looked up once for a call, and the connection goes to what was found then', async () => {
    const receiver = await startReceiver()
    let asked = 0
    // A second look-up, by anybody, would lead to nothing.
    const outbound = openOutbound({ allow_private: true, resolve: async () => (asked++ === 0 ? ['127.0.0.1'] : ['192.0.2.1']) })
    const url = receiver.url.replace('127.0.0.1', 'checked.test')
    expect((await outbound.post({ url: `${url}/once`, headers: {}, body: '', timeout_ms: 1_000 })).status).toBe(200)
    expect(receiver.at('/once')[0]?.headers.host).toMatch(/^checked\.test:/)
    expect(asked).toBe(1)
    await receiver.stop()
  })

  it('that hang take no longer than the call may', async () => {
    const outbound = openOutbound({ allow_private: false, resolve: () => new Promise(() => {}) })
    expect((await outbound.post({ url: 'https://hanging.test/', headers: {}, body: '', timeout_ms: 50 })).error).toBe('No answer within 0.05 seconds.')
  })
})
