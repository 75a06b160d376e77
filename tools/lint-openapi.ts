// Holds the OpenAPI document against the rules of a public linter; any error ends with 1.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { routes } from '../src/app/routes.ts'
import { describeApi } from '../src/foundation/http/openapi.ts'

const config = await createConfig({ extends: ['recommended'] })
const problems = await lintFromString({ source: JSON.stringify(describeApi(routes.map(({ endpoint }) => endpoint))), absoluteRef: 'openapi.json', config })
for (const { severity, ruleId, message, location } of problems) console.log(`${severity}: ${ruleId}: ${message} (${location[0]?.pointer})`)
const errors = problems.filter(({ severity }) => severity === 'error').length
console.log(`OpenAPI: ${errors} errors, ${problems.length - errors} warnings.`)
process.exitCode = errors > 0 ? 1 : 0
