// The port that the service listens on.
import type { FastifyInstance } from 'fastify'
import type { AddressInfo } from 'node:net'
import type { Settings } from '../foundation/settings.ts'

const FIRST_PORT = 8080
const TRIES = 100

/** A port that was asked for must be free; otherwise the next free one will do. */
export async function listenSomewhere(server: FastifyInstance, { host, port }: Pick<Settings, 'host' | 'port'>, first = FIRST_PORT): Promise<number> {
  for (let candidate = port ?? first; ; candidate++) {
    try {
      await server.listen({ host, port: candidate })
      return (server.server.address() as AddressInfo).port
    } catch (error) {
      if ((error as { code?: string }).code !== 'EADDRINUSE') throw error
      if (port !== null) throw new Error(`Port ${port} on ${host} is in use. Set DAYBOOK_PORT to another, or leave it unset.`, { cause: error })
      if (candidate >= first + TRIES) throw new Error(`No free port from ${first} to ${candidate}. Set DAYBOOK_PORT.`, { cause: error })
    }
  }
}
