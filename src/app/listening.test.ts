import fastify from 'fastify'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { listenSomewhere } from './listening.ts'

const host = '127.0.0.1'

async function portOfAnother(): Promise<number> {
  const other = createServer().listen(0, host)
  onTestFinished(() => { other.close() })
  await once(other, 'listening')
  return (other.address() as AddressInfo).port
}

function server() {
  const made = fastify()
  onTestFinished(() => made.close())
  return made
}

test('a port of another program is passed over', async () => {
  const taken = await portOfAnother()
  expect(await listenSomewhere(server(), { host, port: null }, taken)).toBeGreaterThan(taken)
})

test('a port that was asked for is not exchanged for another', async () => {
  const taken = await portOfAnother()
  await expect(listenSomewhere(server(), { host, port: taken })).rejects.toThrow(`Port ${taken} on ${host} is in use.`)
})
