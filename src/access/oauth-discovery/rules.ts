// What this server says of itself, so that a program needs only its address (RFC 8414, RFC 9728).
import { GRANTABLE } from '../oauth-grants/rules.ts'

const METHODS = ['client_secret_basic', 'client_secret_post', 'none']

/** The address without a slash at its end: tokens and answers name it in this form. */
export function issuerOf(public_url: string): string {
  return public_url.replace(/\/+$/, '')
}

export function authorizationServer(public_url: string): object {
  const issuer = issuerOf(public_url)
  const api = `${issuer}/api/v1/oauth`
  return {
    issuer,
    authorization_endpoint: `${api}/authorize`,
    token_endpoint: `${api}/token`,
    revocation_endpoint: `${api}/revoke`,
    introspection_endpoint: `${api}/introspect`,
    scopes_supported: GRANTABLE.map(({ scope }) => scope),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: METHODS,
    revocation_endpoint_auth_methods_supported: METHODS,
    introspection_endpoint_auth_methods_supported: METHODS,
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${issuer}/docs`,
  }
}

export function protectedResource(public_url: string): object {
  const resource = issuerOf(public_url)
  return {
    resource,
    resource_name: 'Daybook',
    authorization_servers: [resource],
    scopes_supported: GRANTABLE.map(({ scope }) => scope),
    bearer_methods_supported: ['header'],
    resource_documentation: `${resource}/docs`,
  }
}
