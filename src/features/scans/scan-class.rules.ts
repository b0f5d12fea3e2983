/** Whom a scan is by. BOT, PREVIEW and DUPLICATE have no rule yet. */
export const SCAN_CLASSES = ['HUMAN', 'BOT', 'PREVIEW', 'OWNER', 'DUPLICATE'] as const;

export type ScanClass = (typeof SCAN_CLASSES)[number];

/** What a class is decided by. */
export interface ClassFacts {
  ownerId: string;
  /** The account that scans, when signed in. */
  accountId: string | null;
  /** The owner that a test link marked this phone as belonging to. */
  ownPhoneOf: string | null;
}

/** The class of a scan, with the name of the rule that decided it: stored beside it, so that a count can be explained. */
export function classOf(facts: ClassFacts): { class: ScanClass; rule: string } {
  if (facts.accountId === facts.ownerId) return { class: 'OWNER', rule: 'owner-account' };
  if (facts.ownPhoneOf === facts.ownerId) return { class: 'OWNER', rule: 'owner-phone' };
  return { class: 'HUMAN', rule: 'no-other-rule' };
}
