// Where programs find out how to connect: address → document.
import { Download } from '../../foundation/endpoint.ts'
import { page, type PageRoute } from '../../foundation/page.ts'
import { authorizationServer, protectedResource } from './rules.ts'

const document = (name: string, content: (public_url: string) => object): PageRoute =>
  page('GET', `/.well-known/${name}`, async (tx) => new Download('application/json; charset=utf-8', `${name}.json`, Buffer.from(JSON.stringify(content(tx.surroundings.public_url)))), 600)

export const discoveryPages: PageRoute[] = [document('oauth-authorization-server', authorizationServer), document('oauth-protected-resource', protectedResource)]
