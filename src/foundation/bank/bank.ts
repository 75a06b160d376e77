// The bank as Daybook sees it: an outside party that says what happened on an account. Which one it is, the settings will say once there is another.

export type Bank = {
  readonly name: 'sandbox'
  /** What the bank reports of these days, oldest first; the same lines with the same ids whenever it is asked. */
  readStatement(account: BankAccount, from: string, to: string): Promise<BankLine[]>
}

/** `reference` tells accounts apart; it never changes. Of a card money is owed. */
export type BankAccount = { reference: string; kind: 'account' | 'card' }

export type BankLine = {
  /** What the bank calls it, unique in the account. */
  id: string
  date: string
  /** Integer cents, positive for a deposit. */
  amount: number
  /** As the bank writes it. */
  name: string
  description: string | null
  /** A check number or the like. */
  reference: string | null
}
