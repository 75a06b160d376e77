// How a statement travels: prepared once per connection, its columns described once per process, and everything that is
// sent in one turn of the event loop leaves in one write.
import pg from 'pg'
import { prepareValue } from 'pg/lib/utils.js'
import type { Statement } from './statement.ts'
import { valueTypes } from './values.ts'

export type Outcome = { rows: Record<string, unknown>[]; count: number }

/** Sends a statement; whatever is sent on the same connection before the answer comes waits behind it. */
export function send(client: pg.ClientBase, statement: Statement, values: unknown[]): Promise<Outcome> {
  corkForThisTurn(client)
  return new Promise((resolve, reject) => {
    client.query(new PreparedQuery(statement, values, (error, outcome) => (outcome ? resolve(outcome) : reject(error))) as never)
  })
}

/** Sends plain text such as `commit`; the command that the server says it carried out. */
export async function sendText(client: pg.ClientBase, text: string): Promise<string> {
  corkForThisTurn(client)
  const result = (await client.query(text)) as pg.QueryResult | pg.QueryResult[]
  return [result].flat().at(-1)?.command ?? ''
}

type Connection = {
  stream: { cork(): void; uncork(): void; writableCorked: number }
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
  parse(message: object): void
  bind(message: object): void
  describe(message: object): void
  execute(message: object): void
  sync(): void
}
type Field = { name: string; parse: (text: string) => unknown }
type Settle = (error: Error | null, outcome?: Outcome) => void

/** The columns of each statement, from the first time it was described: asking again costs both sides more than the row. */
const known = new WeakMap<Statement, Field[]>()

function corkForThisTurn(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: Connection }).connection
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

class PreparedQuery extends (pg.Query as unknown as new (config: object) => object) {
  readonly #statement: Statement
  readonly #values: unknown[]
  readonly #settle: Settle
  readonly #rows: Record<string, unknown>[] = []
  #count = 0
  #failure: Error | null = null

  constructor(statement: Statement, values: unknown[], settle: Settle) {
    super({ name: statement.name, text: statement.text, values })
    this.#statement = statement
    this.#values = values
    this.#settle = settle
  }

  /** Called by pg where the query is sent; the base class would describe the statement every time. */
  prepare(connection: Connection): void {
    const { name, text } = this.#statement
    if (connection.parsedStatements[name] === undefined && connection.submittedNamedStatements[name] === undefined) {
      connection.parse({ name, text })
      connection.submittedNamedStatements[name] = text
    }
    connection.bind({ portal: '', statement: name, values: this.#values, binary: false, valueMapper: prepareValue })
    if (!known.has(this.#statement)) connection.describe({ type: 'P', name: '' })
    connection.execute({ portal: '' })
    connection.sync()
  }

  handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void {
    known.set(this.#statement, message.fields.map(({ name, dataTypeID }) => ({ name, parse: valueTypes.getTypeParser(dataTypeID) })))
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    const fields = known.get(this.#statement) ?? []
    const row: Record<string, unknown> = {}
    try {
      for (let index = 0; index < fields.length; index++) {
        const field = fields[index] as Field
        const text = message.fields[index]
        row[field.name] = text === null || text === undefined ? null : field.parse(text)
      }
    } catch (error) {
      this.#failure = error as Error
    }
    this.#rows.push(row)
  }

  handleCommandComplete(message: { text: string }): void {
    this.#count = Number(/(\d+)$/.exec(message.text)?.[1] ?? 0)
  }

  handleError(error: Error): void {
    this.#settle(error)
  }

  handleReadyForQuery(): void {
    // A statement without rows is never described by the server: remember that too.
    if (!known.has(this.#statement)) known.set(this.#statement, [])
    this.#settle(this.#failure, this.#failure ? undefined : { rows: this.#rows, count: this.#count })
  }
}
