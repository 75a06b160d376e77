// A mail server for tests: real SMTP over a real socket, which keeps what it is given and can be told to fail.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

export type Received = { from: string; to: string; content: string }

export type SmtpServer = {
  url: string
  received: Received[]
  /** How many have knocked. */
  readonly calls: number
  /** accept: takes mail. refuse: answers 451. silent: never says a word. */
  mode: 'accept' | 'refuse' | 'silent'
  stop(): Promise<void>
}

export async function startSmtp(): Promise<SmtpServer> {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  let calls = 0
  const server = createServer((socket) => {
    calls += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    if (smtp.mode !== 'silent') converse(socket, () => smtp.mode === 'accept', received)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const smtp = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    get calls() {
      return calls
    },
    mode: 'accept' as SmtpServer['mode'],
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return smtp
}

function converse(socket: Socket, accepts: () => boolean, received: Received[]): void {
  let waiting = ''
  let mail: Received = { from: '', to: '', content: '' }
  let reading = false
  const say = (line: string) => socket.write(`${line}\r\n`)
  const answers: Record<string, (line: string) => void> = {
    EHLO: () => say('250 mail.test'),
    MAIL: (line) => {
      mail = { from: address(line), to: '', content: '' }
      say(accepts() ? '250 OK' : '451 Not now')
    },
    RCPT: (line) => {
      mail.to = address(line)
      say('250 OK')
    },
    DATA: () => {
      reading = true
      say('354 Go on')
    },
    QUIT: () => {
      say('221 Bye')
      socket.end()
    },
  }
  const command = (line: string) => (answers[line.slice(0, 4).toUpperCase()] ?? (() => say('502 Unknown')))(line)
  const content = (line: string) => {
    if (line !== '.') return (mail.content += `${line.replace(/^\./, '')}\n`)
    reading = false
    received.push(mail)
    return say('250 Taken')
  }
  say('220 mail.test')
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    waiting += chunk
    const lines = waiting.split('\r\n')
    waiting = lines.pop() ?? ''
    for (const line of lines) (reading ? content : command)(line)
  })
}

function address(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? ''
}
