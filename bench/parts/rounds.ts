// Interleaved rounds: the machine is noisy, so what is compared is measured turn by turn in one run, and the middle ratio counts.
import autocannon from 'autocannon'

export type Load = { name: string; measure: (seconds: number) => Promise<number> }

export type Comparison = { rates: Record<string, number>; ratio: number; ratios: number[] }

/** Rates per second of both, and the median of the first's ratio to the second's. */
export async function compare(first: Load, second: Load, rounds: number, seconds: number): Promise<Comparison> {
  const rates: [number[], number[]] = [[], []]
  await first.measure(1)
  await second.measure(1)
  for (let round = 0; round < rounds; round++) {
    rates[0].push(await first.measure(seconds))
    rates[1].push(await second.measure(seconds))
  }
  const ratios = rates[0].map((rate, round) => rate / (rates[1][round] ?? NaN))
  return { rates: { [first.name]: median(rates[0]), [second.name]: median(rates[1]) }, ratio: median(ratios), ratios }
}

export function median(values: number[]): number {
  const ordered = values.toSorted((a, b) => a - b)
  return ordered[Math.floor(ordered.length / 2)] ?? NaN
}

export type Request = autocannon.Request & { url: string }

/** Requests per second over HTTP, each client going through all of them; any answer but a success stops the bench, because it would not measure what it says. */
export function httpLoad(name: string, request: Request | Request[], connections = 16): Load {
  const requests = [request].flat()
  return {
    name,
    async measure(seconds) {
      const result = await autocannon({
        url: requests[0]?.url ?? '',
        connections,
        duration: seconds,
        requests: requests.map(withPath),
      } as autocannon.Options)
      if (result.non2xx > 0 || result.errors > 0) throw new Error(`${name}: ${result.non2xx} refused, ${result.errors} errors`)
      return result.requests.total / result.duration
    },
  }
}

/** The same with a client for each lane, which asks for a request each time: for what can be done only once. */
export function laneLoad(name: string, url: string, lanes: readonly (() => Request)[]): Load {
  return {
    name,
    async measure(seconds) {
      let lane = 0
      const setupClient = (client: autocannon.Client) => {
        const next = lanes[lane++ % lanes.length] as () => Request
        // Asked for when the request is to be sent; what it replaces stays as it is.
        client.setRequests([{ setupRequest: (request: autocannon.Request) => ({ ...request, ...withPath(next()) }) } as autocannon.Request])
      }
      const result = await autocannon({ url, connections: lanes.length, duration: seconds, setupClient } as autocannon.Options)
      if (result.non2xx > 0 || result.errors > 0) throw new Error(`${name}: ${result.non2xx} refused, ${result.errors} errors`)
      return result.requests.total / result.duration
    },
  }
}

const withPath = ({ url, ...rest }: Request): autocannon.Request => ({ ...rest, path: new URL(url).pathname })

/** Calls per second of a function, with this many running at a time. */
export function callLoad(name: string, call: (lane: number) => Promise<void>, lanes = 16): Load {
  return {
    name,
    async measure(seconds) {
      const end = performance.now() + seconds * 1000
      const started = performance.now()
      let done = 0
      await Promise.all(Array.from({ length: lanes }, async (_, lane) => {
        while (performance.now() < end) {
          await call(lane)
          done += 1
        }
      }))
      return done / ((performance.now() - started) / 1000)
    },
  }
}
