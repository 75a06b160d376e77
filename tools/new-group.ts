// Writes the anatomy of a new group, with a passing test: npm run new-group <room>/<group>
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { FLOORS } from './plan.ts'
import { groupFiles, migrationText, namesOf, type Names } from './new-group-templates.ts'

const root = resolve(import.meta.dirname, '..')

async function main(argument: string | undefined): Promise<void> {
  const [, room = '', group = ''] = /^([a-z]+)\/([a-z][a-z-]*s)$/.exec(argument ?? '') ?? []
  if (!room) throw new Error('Usage: npm run new-group <room>/<group>, such as directory/payment-terms: the plural, as in the URL.')
  if (!(room in FLOORS) || room === 'app') throw new Error(`${room} is not a room for groups. Rooms: ${Object.keys(FLOORS).filter((name) => name !== 'app').join(', ')}.`)
  const names = namesOf(room, group)
  const folder = join(root, 'src', room, group)
  await mkdir(join(root, 'src', room), { recursive: true })
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === 'EEXIST' ? `src/${room}/${group} exists already.` : error.message)
  })
  for (const [name, text] of Object.entries(groupFiles(names))) await writeFile(join(folder, name), text)
  const migration = await writeMigration(names)
  await wireRoutes(names)
  await addPermission(names)
  console.log(`Made src/${room}/${group} and migrations/${migration}, and wired them in src/app/routes.ts and src/access/permissions.ts.

Next: the fields in contract.ts and the migration, the rules, then
  npx vitest run src/${room}/${group} test/contract test/tidy.test.ts test/statements.test.ts
docs/adding-a-group.md walks through it.`)
}

async function writeMigration(names: Names): Promise<string> {
  const folder = join(root, 'migrations')
  const last = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted().at(-1) ?? '0000'
  const file = `${String(Number(last.slice(0, 4)) + 1).padStart(4, '0')}_${names.table}.sql`
  await writeFile(join(folder, file), migrationText(names))
  return file
}

async function wireRoutes(names: Names): Promise<void> {
  await edit('src/app/routes.ts', (text) => text
    .replace(/\n\nexport const routes/, `\nimport { ${names.camel}Routes } from '../${names.room}/${names.group}/routes.ts'\n\nexport const routes`)
    .replace(/\n\]\n$/, `\n  ...${names.camel}Routes,\n]\n`))
}

async function addPermission(names: Names): Promise<void> {
  const row = `  { group: '${names.group}', words: '${names.words}', read: everyone, write: daily },\n`
  await edit('src/access/permissions.ts', (text) => text.replace(/(export const GROUPS: readonly Row\[\] = \[\n(?: {2}.*\n)*)\]/, `$1${row}]`))
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  const before = await readFile(join(root, path), 'utf8')
  const after = change(before)
  if (after === before) throw new Error(`${path} does not look as expected: wire the group there by hand.`)
  await writeFile(join(root, path), after)
}

try {
  await main(process.argv[2])
} catch (error) {
  console.error(`new-group: ${(error as Error).message}`)
  process.exitCode = 1
}
