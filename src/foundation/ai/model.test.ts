import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { modelServer, type ModelServer } from '../../../test/support/models.ts'
import { openModel } from './model.ts'

const schema = { type: 'object', required: ['word'], additionalProperties: false, properties: { word: { type: 'string', maxLength: 10 } } }
const question = { instructions: 'Say a word.', text: 'Which?', schema, time_limit_ms: 5_000 }
const settings = { ai_provider: 'openai-compatible', ai_url: null, ai_key: null, ai_model: null } as const

describe.each([['openai', 'openai-compatible', '/v1/chat/completions'], ['anthropic', 'anthropic', '/v1/messages']] as const)('a model that speaks %s', (protocol, ai_provider, path) => {
  let server: ModelServer
  beforeAll(async () => {
    server = await modelServer(protocol)
  })
  afterAll(() => server.stop())
  const ask = (time_limit_ms = 5_000) => openModel({ ai_provider, ai_url: server.url, ai_key: 'the-key', ai_model: 'small-1' })?.ask({ ...question, time_limit_ms })

  it('is asked with the key, the instructions apart from the text, and answers in the shape', async () => {
    server.answer = { word: 'yes' }
    expect(await ask()).toEqual({ word: 'yes' })
    const { headers, body, path: asked } = server.asked.at(-1) ?? { headers: {}, body: {}, path: '' }
    expect(asked).toBe(path)
    expect([headers['authorization'], headers['x-api-key']]).toContain(protocol === 'openai' ? 'Bearer the-key' : 'the-key')
    expect(body.model).toBe('small-1')
    expect(JSON.stringify(body.messages.at(-1))).toContain('Which?')
    expect(JSON.stringify(protocol === 'openai' ? body.messages[0] : body.system)).toContain('Say a word.')
  })

  it.each([
    [{ word: 7 }, 'gave an answer that has not the shape it was asked for'],
    [{ word: 'much too long a word' }, 'gave an answer that has not the shape it was asked for'],
    ['no JSON at all', 'gave an answer that has not the shape it was asked for'],
    [401, 'did not accept the key'],
    [500, 'answered with status 500'],
    ['silence', 'did not answer in time'],
  ])('that answers %j says so without a word of the provider', async (answer, problem) => {
    server.answer = answer
    await expect(ask(answer === 'silence' ? 300 : 5_000)).rejects.toMatchObject({ message: problem, late: answer === 'silence' })
  }, 20_000)
})

it('there is none where none is named, and one that cannot be reached says so', async () => {
  expect(openModel(settings)).toBeNull()
  expect(openModel({ ...settings, ai_model: 'm' })).toBeNull()
  const gone = openModel({ ...settings, ai_model: 'm', ai_url: 'http://127.0.0.1:1/v1' })
  await expect(gone?.ask(question)).rejects.toMatchObject({ message: 'could not be reached' })
}, 20_000)

it('a server that cannot hold an answer to a schema is asked again without', async () => {
  const server = await modelServer('openai')
  server.answer = 400
  const model = openModel({ ...settings, ai_model: 'm', ai_url: server.url })
  await expect(model?.ask(question)).rejects.toMatchObject({ message: 'answered with status 400' })
  expect(server.asked.map(({ body }) => body.response_format.type)).toEqual(['json_schema', 'json_object'])
  await server.stop()
})
