// What a provider outside sends us.

/** As it came: its signature is over these bytes. */
export type Message = { body: Buffer; headers: Record<string, string | string[] | undefined> }
