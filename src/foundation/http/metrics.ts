// Numbers for Prometheus: requests, the pool, the process.
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Pool } from '../database/pool.ts'

export type Metrics = {
  observeRequest(method: string, route: string, status: number, seconds: number): void
  watchPool(pool: Pool): void
  text(): Promise<string>
  content_type: string
}

export function openMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'daybook_' })
  const requests = new Histogram({
    name: 'daybook_http_request_seconds',
    help: 'Time to answer a request.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  })
  // Looking a series up by its labels costs more than counting; a series is found once.
  const series = new Map<string, { observe(seconds: number): void }>()
  return {
    observeRequest(method, route, status, seconds) {
      const key = `${method} ${route} ${status}`
      let found = series.get(key)
      if (!found) series.set(key, (found = requests.labels(method, route, String(status))))
      found.observe(seconds)
    },
    watchPool: (pool) => {
      new Gauge({
        name: 'daybook_database_connections',
        help: 'Connections of the pool by state.',
        labelNames: ['state'],
        registers: [registry],
        collect() {
          for (const [state, count] of Object.entries(pool.stats)) this.set({ state }, count)
        },
      })
    },
    text: () => registry.metrics(),
    content_type: registry.contentType,
  }
}
