// What a transaction knows beside its connection: who acts, in which business, through which request.
import type { Model } from '../ai/model.ts'
import type { Outbound } from '../outbound.ts'
import type { Bank } from '../bank/bank.ts'
import type { CardProcessor } from '../processor/processor.ts'
import type { Scanner } from '../storage/scanner.ts'
import type { Storage } from '../storage/storage.ts'

/** Who acts. `permissions` are the effective ones in the business of this call: role now, cut to what the credential allows. */
export type Actor = {
  kind: 'user' | 'token' | 'grant' | 'system' | 'public_link'
  /** The user, token or grant itself. */
  id: string | null
  /** The person behind it. */
  user_id: string | null
  name: string
  email: string | null
  email_verified: boolean
  role: string | null
  permissions: ReadonlySet<string>
  session_id: string | null
  /** Signed in or reauthenticated less than 10 minutes ago. */
  fresh: boolean
}

/** What the request brought beside its input. */
export type RequestContext = {
  request_id: string
  ip: string | null
  user_agent: string | null
  dry_run: boolean
  if_match: string | null
  /** It has an idempotency key: the answer is kept, in the same commit. */
  keyed: boolean
  /** Why the caller posts into a period that is softly closed: the header x-override-reason. */
  override_reason: string | null
  /** What was given for the password of a public link: the header x-share-access. */
  share_access: string | null
  /** Headers that the operation adds to its answer, such as a cookie. */
  reply_headers: Record<string, string>
}

/** `read_only` says in one sentence why nothing may be changed, or is null. */
export type Business = { id: string; timezone: string; base_currency: string; read_only: string | null }

/** Things that live as long as the process and that operations may need: keys, settings and the parties outside, never connections. */
export type Surroundings = {
  encryption_key: Buffer
  public_url: string
  /** No mail server is set: mail is kept and can be read through the API. */
  sandbox_mail: boolean
  /** Called between transactions and by jobs only: an operation asks it nothing that leaves the process. */
  processor: CardProcessor
  /** Asked between transactions and by jobs only; null where none is set. */
  model: Model | null
  /** Moves the clock of all processes ahead; called between transactions. Null where any party outside is a real one. */
  move_clock: ((now: Date) => Promise<void>) | null
  /** Read and written between transactions and by jobs only. */
  storage: Storage
  /** Asked between transactions and by jobs only. */
  scanner: Scanner
  inbox: { domain: string; secret: string | null }
  /** Calls to addresses that customers give; made between transactions and by jobs only. */
  outbound: Outbound
  webhook_timeout_ms: number
  webhook_concurrency: number
  /** Asked inside an operation only where it is the embedded one, which works in this process. */
  bank: Bank
  /** How long a call waits for documents to be read. */
  reading_wait_ms: number
}
