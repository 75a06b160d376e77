// The description of the API over HTTP: the whole, one operation, and pages for people.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Endpoint } from '../endpoint.ts'
import { notFound } from '../refusal.ts'
import { describeApi, describeOperation } from './openapi.ts'
import { groupPage, overviewPage } from './reference.ts'

export function descriptionPages(endpoints: readonly Endpoint[]) {
  // Made on first use: a start does not wait for it.
  let whole: string | null = null
  return (server: FastifyInstance): void => {
    server.get('/openapi.json', (_request, reply) => json(reply, (whole ??= JSON.stringify(describeApi(endpoints)))))
    server.get<{ Params: { file: string } }>('/openapi/:file', (request, reply) => {
      const document = describeOperation(endpoints, request.params.file.replace(/\.json$/, ''))
      if (!document) throw notFound('Operation')
      return json(reply, JSON.stringify(document))
    })
    server.get('/docs', (_request, reply) => html(reply, overviewPage(endpoints)))
    server.get<{ Params: { group: string } }>('/docs/:group', (request, reply) => {
      const chosen = endpoints.filter(({ group }) => group === request.params.group)
      if (chosen.length === 0) throw notFound('Group')
      return html(reply, groupPage(endpoints, chosen))
    })
  }
}

function json(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text)
}

function html(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'").send(text)
}
