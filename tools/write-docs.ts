// Writes what the documents repeat of the code, so that it cannot drift: the table of settings.
import { writeFile } from 'node:fs/promises'
import { settingsTable } from '../src/foundation/settings.ts'

const page = `# Settings

Settings come from the environment and are checked at start; all problems are told at once. Made from the code: edit
src/foundation/settings.ts, then run \`npm run docs\`.

${settingsTable()}
`

await writeFile(new URL('../docs/settings.md', import.meta.url), page)
