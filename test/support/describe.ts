// What PostgreSQL says a statement would return, without running it: the protocol's own Parse and Describe.
import pg from 'pg'

export type Column = { name: string; type_id: number; table_id: number; column_number: number }

type Connection = {
  parse(query: { text: string; name: string; types: number[] }): void
  describe(message: { type: 'S'; name: string }): void
  sync(): void
}

export function describeStatement(client: pg.Client, text: string): Promise<Column[]> {
  return new Promise((resolve, reject) => {
    let columns: Column[] = []
    let failure: Error | null = null
    const ignore = () => {}
    client.query({
      submit(connection: Connection) {
        connection.parse({ text, name: '', types: [] })
        connection.describe({ type: 'S', name: '' })
        connection.sync()
        return null
      },
      handleRowDescription(message: { fields: { name: string; dataTypeID: number; tableID: number; columnID: number }[] }) {
        columns = message.fields.map((field) => ({ name: field.name, type_id: field.dataTypeID, table_id: field.tableID, column_number: field.columnID }))
      },
      handleError(error: Error) {
        failure = error
      },
      handleReadyForQuery() {
        if (failure) reject(failure)
        else resolve(columns)
      },
      handleDataRow: ignore,
      handlePortalSuspended: ignore,
      handleEmptyQuery: ignore,
      handleCommandComplete: ignore,
      handleCopyInResponse: ignore,
      handleCopyData: ignore,
      callback: (error: Error | null) => error && reject(error),
    } as never)
  })
}
