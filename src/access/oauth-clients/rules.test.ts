import { describe, expect, it } from 'vitest'
import { isRegistered, requireRedirectUris } from './rules.ts'

describe('redirect URIs', () => {
  it.each([
    'https://app.example.com/callback', 'https://app.example.com', 'https://app.example.com/cb?tenant=7', 'https://app.example.com:8443/cb?who=a@b',
    'http://127.0.0.1/cb', 'http://127.0.0.1:8080/cb', 'http://[::1]/cb', 'http://localhost:3000',
  ])('may be %s', (uri) => expect(() => requireRedirectUris([uri])).not.toThrow())

  it.each([
    ['http://app.example.com/cb', 'must begin with https://'],
    ['http://127.0.0.1.evil.com/cb', 'must begin with https://'],
    ['http://localhost:80@evil.com/', 'must begin with https://'],
    ['http://127.0.0.1@evil.com/', 'must begin with https://'],
    ['javascript:alert(1)', 'must begin with https://'],
    ['data:text/html,x', 'must begin with https://'],
    ['com.example.app:/cb', 'must begin with https://'],
    ['https://app.example.com/cb#top', 'must not have a fragment'],
    ['https://app.example.com/cb#', 'must not have a fragment'],
    ['https://user:pass@app.example.com/cb', 'must not carry a user name'],
    ['https://@app.example.com/cb', 'must not carry a user name'],
    ['//app.example.com/cb', 'is not an absolute URL'],
    ['/cb', 'is not an absolute URL'],
    ['https://app.example.com/c b', 'is not an absolute URL'],
    ['https:\\\\app.example.com', 'is not an absolute URL'],
    ['https://äpp.example.com/', 'is not an absolute URL'],
  ])('may not be %s', (uri, why) => expect(() => requireRedirectUris([uri])).toThrow(why))

  it('are each given once', () => expect(() => requireRedirectUris(['https://a.example/', 'https://a.example/'])).toThrow('given twice'))
})

describe('an address is registered', () => {
  const registered = ['https://app.example.com/callback', 'http://127.0.0.1/cb', 'http://[::1]:9000/cb', 'http://localhost/']

  it.each(['https://app.example.com/callback', 'http://127.0.0.1/cb', 'http://127.0.0.1:51234/cb', 'http://[::1]/cb', 'http://[::1]:1/cb', 'http://localhost:3000/'])(
    'where it is the same: %s', (uri) => expect(isRegistered(uri, registered)).toBe(true))

  it.each([
    '', 'https://app.example.com/callback/', 'https://app.example.com/callback2', 'https://app.example.com/callback?x=1', 'https://app.example.com/callback#x',
    'https://app.example.com:443/callback', 'https://APP.example.com/callback', 'https://app.example.com/%63allback', 'https://app.example.com/x/../callback',
    'https://app.example.com@evil.com/callback', 'https://evil.com/https://app.example.com/callback', 'http://app.example.com/callback',
    'http://127.0.0.1:80@evil.com/cb', 'http://127.0.0.1.evil.com/cb', 'http://127.0.0.1:1/cb/more', 'http://127.0.0.1:1/cb#x', 'http://127.0.0.1:1/other',
    'http://localhost:3000/cb', 'http://127.0.0.1:123456/cb', 'https://127.0.0.1:1/cb', 'http://127.0.0.1:/cb', ' http://127.0.0.1/cb',
  ])('and not where it only looks like it: %s', (uri) => expect(isRegistered(uri, registered)).toBe(false))
})
