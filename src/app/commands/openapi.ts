// daybook openapi: the description of the API, without a server.
import { writeFile } from 'node:fs/promises'
import { describeApi, describeOperation } from '../../foundation/http/openapi.ts'
import { UsageError, type Command } from '../command.ts'
import { routes } from '../routes.ts'

export const openapi: Command = {
  name: 'openapi',
  summary: 'print the OpenAPI description',
  help: 'Prints the OpenAPI 3.1 document of the whole API, or of one operation with only the schemas it needs.',
  operand: { name: 'operation_id', meaning: 'one operation, such as create_note', required: false },
  options: { output: { value: 'file', meaning: 'write to this file instead' } },
  async run({ operand, options }) {
    const endpoints = routes.map(({ endpoint }) => endpoint)
    const document = operand === null ? describeApi(endpoints) : describeOperation(endpoints, operand)
    if (document === null) throw new UsageError(`There is no operation "${operand}".`)
    const text = JSON.stringify(document, null, 2)
    if (typeof options['output'] === 'string') await writeFile(options['output'], `${text}\n`)
    else console.log(text)
  },
}
