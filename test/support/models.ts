// Language models for tests: servers that speak a provider's protocol and say what the test wants.
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export type Asked = { path: string; headers: Record<string, string | string[] | undefined>; body: any }

export type ModelServer = {
  url: string
  asked: Asked[]
  /** What it answers: an object, a status, text as it is, or nothing at all. */
  answer: object | number | string | 'silence'
  stop(): Promise<void>
}

export async function modelServer(protocol: 'openai' | 'anthropic'): Promise<ModelServer> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString())
      asked.push({ path: request.url ?? '', headers: request.headers, body })
      const { answer } = made
      if (answer === 'silence') return
      if (typeof answer === 'number') return void response.writeHead(answer, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: 'sk-secret-in-the-message', type: 'error' } }))
      const reply = protocol === 'openai' ? openaiReply(answer) : anthropicReply(answer, body)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const made: ModelServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    answer: {},
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return made
}

function openaiReply(answer: object | string): object {
  const content = typeof answer === 'string' ? answer : JSON.stringify(answer)
  return { id: 'c-1', object: 'chat.completion', created: 1, model: 'test', choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }
}

function anthropicReply(answer: object | string, { tools }: { tools?: { name: string }[] }): object {
  const [tool] = tools ?? []
  const content = tool ? [{ type: 'tool_use', id: 't-1', name: tool.name, input: answer }] : [{ type: 'text', text: typeof answer === 'string' ? answer : JSON.stringify(answer) }]
  return { id: 'm-1', type: 'message', role: 'assistant', model: 'test', content, stop_reason: tool ? 'tool_use' : 'end_turn', stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } }
}

const nothing = { value: null, quote: null }

/** A whole answer about an invoice of which only these members are said. */
export function invoiceAnswer(said: Record<string, unknown> = {}): object {
  return {
    kind: 'invoice', invoice_number: nothing, customer_name: nothing, customer_email: nothing, invoice_date: nothing, due_date: nothing, currency: nothing, purchase_order_number: nothing, payment_terms: nothing,
    subtotal: nothing, tax: nothing, total: nothing, line_items: [], ...said,
  }
}
