// The reference for people: plain pages without scripts, one per group, readable offline, on a phone and on paper.
import type { TSchema } from 'typebox'
import type { Endpoint } from '../endpoint.ts'
import { describeApi } from './openapi.ts'

type Schema = { type?: string | string[]; title?: string; format?: string; enum?: unknown[]; items?: Schema; properties?: Record<string, Schema>; required?: string[]; anyOf?: Schema[]; description?: string; minimum?: number; maximum?: number; minLength?: number; maxLength?: number; default?: unknown }

/** What holds for every call, and the list of groups. */
export function overviewPage(endpoints: readonly Endpoint[]): string {
  const rows = groupsOf(endpoints).map((group) => {
    const members = endpoints.filter((endpoint) => endpoint.group === group)
    return `<tr><td><a href="/docs/${group}">${group}</a></td><td>${members.length}</td><td>${members.map(({ summary }) => escape(summary)).join(' · ')}</td></tr>`
  })
  return page('Daybook API', endpoints, `
<h1>Daybook API</h1>
<p>JSON over HTTP below <code>/api/v1</code>. The same as data: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1), one operation at <code>/openapi/{operation_id}.json</code>.</p>
<table><tbody>
<tr><th>Who</th><td><code>Authorization: Bearer dbk_…</code> and, where a business is acted on, <code>x-business-id</code>.</td></tr>
<tr><th>Success</th><td>POST answers 201, the rest 200, always <code>{success, message, code, data}</code>.</td></tr>
<tr><th>Errors</th><td><code>{detail}</code>: a sentence, or with 422 a list of every problem with its place.</td></tr>
<tr><th>Lists</th><td><code>limit</code>, <code>cursor</code>, <code>direction</code>, <code>sort_by</code>, <code>descending</code>; follow <code>next_cursor</code> until <code>has_next</code> is false.</td></tr>
<tr><th>Safe retries</th><td><code>Idempotency-Key</code> on any write: the same key gives the stored answer for 24 hours.</td></tr>
<tr><th>Try first</th><td><code>?dry_run=true</code> on any write: the real answer, nothing kept.</td></tr>
<tr><th>Two at once</th><td>Send the <code>ETag</code> you read as <code>If-Match</code>: a record changed since is a 412.</td></tr>
<tr><th>Values</th><td>Money in integer cents, ids UUID, dates <code>YYYY-MM-DD</code>, times RFC 3339 in UTC.</td></tr>
</tbody></table>
<h2>Groups</h2>
<table><thead><tr><th>group</th><th>operations</th><th></th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`)
}

/** All operations of one group. */
export function groupPage(endpoints: readonly Endpoint[], chosen: readonly Endpoint[]): string {
  const group = chosen[0]?.group ?? ''
  const contents = chosen.map((endpoint) => `<li><a href="#${endpoint.id}"><b class="${endpoint.method}">${endpoint.method}</b> ${escape(endpoint.path)}</a></li>`)
  const shapes = Object.keys(describeApi(chosen).components.schemas).length
  return page(`${group} · Daybook API`, endpoints, `<h1>${group}</h1><p>${chosen.length} operations, ${shapes} shapes.</p><ul class="contents">${contents.join('')}</ul>${chosen.map(operationSection).join('\n')}`)
}

function operationSection(endpoint: Endpoint): string {
  const parts = [
    endpoint.description ? `<p>${escape(endpoint.description)}</p>` : '',
    `<p class="needs">${endpoint.scope === 'public' ? 'No credential' : `Bearer${endpoint.scope === 'business' ? ' and business' : ''}`}${endpoint.permission ? ` · permission <code>${endpoint.permission}</code>` : ''}${endpoint.fresh ? ' · recent sign-in' : ''} · <a href="/openapi/${endpoint.id}.json">OpenAPI</a></p>`,
    table('Path', endpoint.params),
    table('Query', endpoint.query),
    endpoint.body ? table('Body', endpoint.body) : '',
    endpoint.example ? `<h4>Example</h4><pre>${escape(JSON.stringify(endpoint.example, null, 2))}</pre>` : '',
    table('Answer (data)', endpoint.reply),
    endpoint.refusals.length > 0 ? `<h4>400 when</h4><ul>${endpoint.refusals.map((sentence) => `<li>${escape(sentence)}</li>`).join('')}</ul>` : '',
  ]
  return `<section id="${endpoint.id}"><h2>${escape(endpoint.summary)}</h2><p class="path"><b class="${endpoint.method}">${endpoint.method}</b> <code>/api/v1${escape(endpoint.path)}</code></p>${parts.join('')}</section>`
}

function table(heading: string, schema: TSchema): string {
  const rows = rowsOf(schema as Schema, '')
  if (rows.length === 0) return ''
  return `<h4>${heading}</h4><table><tbody>${rows.join('')}</tbody></table>`
}

/** A row per member, nested ones with their way down. */
function rowsOf(schema: Schema, prefix: string, depth = 0): string[] {
  const inner = schema.anyOf?.find((branch) => branch.properties) ?? schema
  if (inner.type === 'array' && inner.items?.properties) return rowsOf(inner.items, `${prefix}[].`, depth)
  return Object.entries(inner.properties ?? {}).flatMap(([name, member]) => {
    const required = inner.required?.includes(name) ? '' : ' class="optional"'
    const row = `<tr><td${required}><code>${prefix}${name}</code></td><td>${typeName(member)}</td><td>${notes(member)}</td></tr>`
    return depth < 2 ? [row, ...rowsOf(member, member.type === 'array' ? `${prefix}${name}` : `${prefix}${name}.`, depth + 1)] : [row]
  })
}

function typeName(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(typeName).join(' or ')
  if (schema.enum) return schema.enum.filter((value) => value !== null).map((value) => `<code>${escape(String(value))}</code>`).join(' ') + (schema.enum.includes(null) ? ' or null' : '')
  const types = [schema.type ?? 'any'].flat()
  const base = types.filter((type) => type !== 'null').map((type) => (type === 'array' ? `list of ${typeName(schema.items ?? {})}` : schema.title ?? schema.format ?? type)).join(', ')
  return types.includes('null') ? `${base} or null` : base
}

function notes(schema: Schema): string {
  const bounds = [
    schema.minLength !== undefined || schema.maxLength !== undefined ? `${schema.minLength ?? 0} to ${schema.maxLength ?? 'any'} characters` : '',
    schema.minimum !== undefined && schema.minimum > Number.MIN_SAFE_INTEGER ? `at least ${schema.minimum}` : '',
    schema.maximum !== undefined && schema.maximum < 2147483647 ? `at most ${schema.maximum}` : '',
    schema.default !== undefined ? `default ${JSON.stringify(schema.default)}` : '',
  ].filter((text) => text !== '')
  return [schema.description ? escape(schema.description) : '', bounds.join(', ')].filter((text) => text !== '').join(' ')
}

function groupsOf(endpoints: readonly Endpoint[]): string[] {
  return [...new Set(endpoints.map(({ group }) => group))].sort()
}

function page(title: string, endpoints: readonly Endpoint[], content: string): string {
  const menu = groupsOf(endpoints).map((group) => `<a href="/docs/${group}">${group}</a>`).join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escape(title)}</title><style>${style}</style></head>
<body><nav><a href="/docs"><b>Daybook</b></a>${menu}</nav><main>${content}</main></body></html>`
}

const style = `:root{color-scheme:light dark;--line:#8884;--soft:#8882}body{margin:0;display:flex;font:16px/1.5 system-ui,sans-serif}nav{position:sticky;top:0;height:100vh;overflow:auto;min-width:13rem;padding:1.5rem;box-sizing:border-box;border-right:1px solid var(--line);display:flex;flex-direction:column;gap:.3rem}main{padding:1.5rem 2.5rem;max-width:60rem;min-width:0;flex:1}a{color:inherit;text-decoration-color:var(--line)}nav a{text-decoration:none}table{border-collapse:collapse;width:100%;margin:.5rem 0 1rem}td,th{border-bottom:1px solid var(--line);padding:.3rem .6rem .3rem 0;text-align:left;vertical-align:top;font-size:.9rem;font-weight:normal}th{font-weight:600;white-space:nowrap}code,pre{font:.85rem ui-monospace,monospace}pre{background:var(--soft);padding:.8rem;border-radius:.4rem;overflow:auto}h2{margin-top:3rem}h4{margin:1rem 0 .2rem}.path{font-size:1.05rem}.needs,.optional{opacity:.75}.contents{list-style:none;padding:0}.GET{color:#0a7}.POST{color:#06c}.PUT,.PATCH{color:#a60}.DELETE{color:#c33}@media(max-width:50rem){body{display:block}nav{position:static;height:auto;flex-flow:row wrap;gap:.3rem 1rem}main{padding:1rem}}@media print{nav{display:none}}`

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
