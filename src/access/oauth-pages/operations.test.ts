// Tests of the pages of the flow, as a browser without scripts uses them.
import { beforeAll, describe, expect, it } from 'vitest'
import { begin, CALLBACK, grantOf, newApp, postForm, visit, type App, type Flow } from '../../../test/support/oauth.ts'
import { newBusiness, newMember, newPerson, PASSWORD, sql, type Person, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newTotp } from '../../../test/support/totp.ts'

let team: Team
let owner: Person
let app: App
let url: string
beforeAll(async () => {
  team = await newBusiness()
  owner = team.owner
  app = await newApp(await newPerson('App Maker'), { name: 'Shop <b>&</b> "Co"', homepage_url: 'https://shop.example.com/' })
  url = (await service()).url
})

/** A browser: it keeps cookies, reads hidden fields, and does not follow by itself. */
function browser() {
  const jar = new Map<string, string>()
  const headers = () => ({ cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') })
  const keep = (answer: { headers: Headers }) => {
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
  }
  return {
    jar,
    async open(path: string) {
      const answer = await visit(new URL(path, url), { headers: headers() })
      keep(answer)
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers, text, fields: fieldsOf(text) }
    },
    async send(path: string, form: Record<string, string>) {
      const answer = await postForm(path, form, headers())
      keep(answer)
      return { ...answer, text: String(answer.body), location: answer.headers.get('location'), fields: fieldsOf(String(answer.body)) }
    },
  }
}

/** Of each form, as it would be sent: hidden fields and ticked boxes. */
function fieldsOf(text: string): Record<string, string> {
  const [form = ''] = /<form[\s\S]*?<\/form>/.exec(text) ?? []
  const inputs = [...form.matchAll(/<input ([^>]*)>/g)].map(([, attributes = '']) => attributes)
  const attribute = (attributes: string, name: string) => new RegExp(`${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''
  return Object.fromEntries(inputs.filter((it) => it.includes('type="hidden"') || it.includes(' checked')).map((it) => [attribute(it, 'name'), attribute(it, 'value')]))
}

const signedIn = (person: Person) => {
  const it = browser()
  it.jar.set('daybook_session', person.token)
  return it
}

describe('from the app to its code', () => {
  it('signs in, consents and goes back', async () => {
    const it = browser()
    const flow = await begin(app)
    const first = await it.open(flow.location)
    expect([first.status, first.headers.get('x-frame-options'), first.headers.get('cache-control')]).toEqual([200, 'DENY', 'no-store'])
    expect(first.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(first.text).toContain('Shop &lt;b&gt;&amp;&lt;/b&gt; &quot;Co&quot; asks for access')
    const wrong = await it.send('/oauth/sign-in', { ...first.fields, email: owner.email, password: 'not the password' })
    expect([wrong.status, wrong.text]).toEqual([401, expect.stringContaining('The e-mail address or the password is wrong.')])
    expect(await sql(`select type from user_events where user_id = $1 and type = 'user.sign_in_failed'`, [owner.user_id])).toHaveLength(1)
    const entered = await it.send('/oauth/sign-in', { ...wrong.fields, email: owner.email, password: PASSWORD })
    expect([entered.status, entered.location]).toEqual([303, flow.location])
    expect(entered.headers.getSetCookie()[0]).toMatch(/^daybook_session=dbs_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax/)

    const asked = await it.open(flow.location)
    expect(asked.text).toContain('<strong>shop.example.com</strong>')
    expect(asked.text).toContain('Read notes')
    expect(asked.headers.get('content-security-policy')).toContain("form-action 'self' https://shop.example.com")
    expect(asked.fields).toMatchObject({ [`business_${team.business_id}`]: 'on', 'scope_notes:read': 'on' })
    const none = await it.send('/oauth/consent', { request_id: flow.request_id, csrf_token: asked.fields['csrf_token'] ?? '', decision: 'approve', 'scope_notes:read': 'on' })
    expect([none.status, none.text]).toEqual([400, expect.stringContaining('Choose at least one business, or deny.')])
    const { 'scope_notes:write': _unticked, ...ticked } = asked.fields
    const done = await it.send('/oauth/consent', { ...ticked, decision: 'approve' })
    expect([done.status, done.location]).toEqual([303, expect.stringMatching(/^https:\/\/shop\.example\.com\/callback\?code=dbg_/)])
    expect((await grantOf(owner, app)).scopes).toEqual(['notes:read'])
    expect((await it.open(flow.location)).status).toBe(400)
  })

  it('asks for the second factor where there is one', async () => {
    const person = await newMember(team.business_id, 'viewer')
    const { code } = await newTotp(person)
    const it = browser()
    const flow = await begin(app)
    const first = await it.open(flow.location)
    const asked = await it.send('/oauth/sign-in', { ...first.fields, email: person.email, password: PASSWORD })
    expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('One more step')])
    const wrong = await it.send('/oauth/sign-in/code', { ...asked.fields, code: '000000' })
    expect([wrong.status, wrong.text]).toEqual([401, expect.stringContaining('The code is wrong')])
    expect((await it.open(flow.location)).text).toContain('Sign in to Daybook')
    const entered = await it.send('/oauth/sign-in/code', { ...wrong.fields, code: code(1) })
    expect([entered.status, entered.location]).toEqual([303, flow.location])
    expect((await it.open(flow.location)).text).toContain('you are viewer')
  })

  it('takes a no, and lets somebody else sign in', async () => {
    const it = signedIn(owner)
    const flow = await begin(app)
    const asked = await it.open(flow.location)
    const denied = await it.send('/oauth/consent', { ...asked.fields, decision: 'deny' })
    expect(denied.location).toMatch(new RegExp(`^${CALLBACK.replaceAll('.', '\\.')}\\?error=access_denied`))
    const person = await newMember(team.business_id, 'viewer')
    const other = signedIn(person)
    const next = await begin(app)
    const page = await other.open(next.location)
    const out = await other.send('/oauth/sign-out', { request_id: next.request_id, csrf_token: page.fields['csrf_token'] ?? '' })
    expect([out.status, out.location]).toEqual([303, next.location])
    expect((await other.open(next.location)).text).toContain('Sign in to Daybook')
    expect((await person.client.get('/user')).status).toBe(401)
  })

  it('shows what a person cannot allow, and gives whoever can allow nothing a way back', async () => {
    const viewer = await newMember(team.business_id, 'viewer')
    const flow = await begin(app, { scope: 'notes:read tags:write' })
    const page = await signedIn(viewer).open(flow.location)
    expect(page.text).toContain('does not get it: Change tags.')
    expect(Object.keys(page.fields)).not.toContain('scope_tags:write')
    const stranger = signedIn(await newPerson())
    const none = await stranger.open(flow.location)
    expect(none.text).toContain('You are in no business in which you could allow this.')
    expect((await stranger.send('/oauth/consent', { ...none.fields, decision: 'deny' })).location).toContain('error=access_denied')
  })
})

describe('forms', () => {
  let flow: Flow
  beforeAll(async () => {
    flow = await begin(app)
  })

  it.each([['none', undefined], ['a wrong one', 'x'.repeat(43)]])('of the consent need the token of the page: %s', async (_what, csrf_token) => {
    const form = { request_id: flow.request_id, decision: 'approve', [`business_${team.business_id}`]: 'on', 'scope_notes:read': 'on', ...(csrf_token ? { csrf_token } : {}) }
    const answer = await signedIn(owner).send('/oauth/consent', form)
    expect([answer.status, answer.location]).toEqual([403, null])
    expect((await signedIn(owner).send('/oauth/sign-out', form)).status).toBe(403)
    expect((await owner.client.get('/user')).status).toBe(200)
  })

  it('of another person do not count', async () => {
    const other = await newMember(team.business_id, 'viewer')
    const page = await signedIn(other).open(flow.location)
    expect((await signedIn(owner).send('/oauth/consent', { ...page.fields, decision: 'approve' })).status).toBe(403)
  })

  it('of the sign-in are tied to the browser that was given them', async () => {
    const [mine, theirs] = [browser(), browser()]
    const page = await mine.open(flow.location)
    const form = { ...page.fields, email: owner.email, password: PASSWORD }
    expect((await theirs.send('/oauth/sign-in', form)).status).toBe(403)
    await theirs.open(flow.location)
    const crossed = await theirs.send('/oauth/sign-in', form)
    expect([crossed.status, crossed.headers.getSetCookie()]).toEqual([403, []])
    expect((await theirs.send('/oauth/sign-in/code', { ...form, challenge: 'x', code: '1' })).status).toBe(403)
  })

  it('ask again for a sign-in that is over, and know only open requests', async () => {
    const answer = await browser().send('/oauth/consent', { request_id: flow.request_id, decision: 'approve' })
    expect([answer.status, answer.location]).toEqual([303, flow.location])
    const odd = await browser().send('/oauth/consent', { request_id: '//evil.example', decision: 'approve' })
    expect(odd.location).toBe('/oauth/consent?request_id=%2F%2Fevil.example')
    for (const id of ['', 'nonsense', '//evil.example', team.business_id]) {
      expect((await browser().open(`/oauth/consent?request_id=${encodeURIComponent(id)}`)).status).toBe(404)
      expect((await signedIn(owner).open(`/oauth/consent?request_id=${encodeURIComponent(id)}`)).status).toBe(404)
    }
  })
})
