// Pages for people, outside the API: plain HTML forms at an address of their own, opened by whoever was given it.
import type { Actor } from './database/context.ts'
import type { PublicTx, UserTx } from './database/transaction.ts'
import type { Download, GivenFile, Steps } from './endpoint.ts'
import type { Html } from './html.ts'

/** What a request for a page brought: path parameters, query and the fields of its form, all of it text. */
export type PageInput = {
  params: Record<string, string>
  query: Record<string, string>
  form: Record<string, string>
  /** Only of a page that takes files. */
  files: readonly GivenFile[]
  /** Names that the query has more than once; the last one counts, unless the page minds. */
  repeated: readonly string[]
  /** The cookies, as they came. */
  cookie: string
}

/** Goes on in the same transaction as the person whom the page has found behind a cookie. */
export type AsUser = (actor: Actor) => UserTx

type Run = (tx: PublicTx, input: PageInput, asUser: AsUser) => Promise<PageAnswer>

type Content = {
  title: string
  body: Html
  /** Style and script stand in the page itself, under their hash: nothing else runs, nothing is loaded from elsewhere. */
  style?: string
  script?: string
  status?: number
  /** Other origins that a form of this page may lead to, also by a redirect of ours. */
  form_targets?: readonly string[]
}

/** A page as an answer. */
export class Page {
  readonly content: Content
  constructor(content: Content) {
    this.content = content
  }
}

/** Sends the browser on with a GET. */
export class Redirect {
  readonly location: string
  constructor(location: string) {
    this.location = location
  }
}

export type PageRoute = {
  method: 'GET' | 'POST'
  /** From the root, parameters in braces. */
  path: string
  /** Calls per minute and address. */
  limit_per_minute: number
  /** The path parameter that is the token of a public link: calls are then counted by link and address, together with those of its endpoints. */
  by_link?: string
  /** Its form may carry files. */
  files?: boolean
  run: Run | Steps<PublicTx, PageInput, never, never, PageAnswer>
}

export type PageAnswer = Page | Redirect | Download

/** A page that reads or writes the database alone. A refusal it throws is shown as a page with that sentence and status. */
export function page(method: 'GET' | 'POST', path: string, run: Run, limit_per_minute = 120): PageRoute {
  return { method, path, limit_per_minute, run }
}

/** A page that needs somebody outside, in three steps. */
export function outsidePage<Plan, Found>(
  method: 'GET' | 'POST', path: string, steps: Steps<PublicTx, PageInput, Plan, Found, PageAnswer>, limit_per_minute = 60,
): PageRoute {
  return { method, path, limit_per_minute, run: steps as unknown as PageRoute['run'] }
}

/** The same for a form with files: they are read only where `limit_per_minute` lets them. */
export function filePage<Plan, Found>(path: string, steps: Steps<PublicTx, PageInput, Plan, Found, PageAnswer>, limit_per_minute = 60): PageRoute {
  return { ...outsidePage('POST', path, steps, limit_per_minute), files: true }
}
