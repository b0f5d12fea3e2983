import { classifyAgent } from './agent-class.rules.ts';

/** Whom a scan is by. */
export const SCAN_CLASSES = ['HUMAN', 'BOT', 'PREVIEW', 'OWNER', 'DUPLICATE'] as const;

export type ScanClass = (typeof SCAN_CLASSES)[number];

/** Seconds after a visitor was counted for a code during which another scan of theirs is a DUPLICATE. */
export const DUPLICATE_WINDOW_SECONDS = 30 * 60;

/** The rule of DUPLICATE, which the statement that stores scans applies as well. */
export const SAME_VISITOR_RULE = 'same-visitor';

/** What a class is decided by. */
export interface ClassificationFacts {
  ownerId: string;
  /** The account that scans, when signed in. */
  accountId: string | null;
  /** The owner that a test link marked this phone as belonging to. */
  phoneOwnerId: string | null;
  /** How it was asked for: GET, HEAD, POST. */
  method: string;
  /** What Sec-Purpose, Purpose, X-Purpose or X-Moz say; empty where none does. */
  purpose: string;
  userAgent: string;
  /** Seconds since the same visitor was last counted for this code, today or yesterday; null where they were not. */
  sinceCounted: number | null;
}

export interface ClassificationDecision {
  class: ScanClass;
  rule: string;
}

type ClassificationRule = readonly [
  name: string,
  of: ScanClass,
  holds: (facts: ClassificationFacts) => boolean,
];

/** The first that holds decides. Whoever is signed in is no robot, whatever their application calls itself. */
const CLASSIFICATION_RULES: readonly ClassificationRule[] = [
  ['owner-account', 'OWNER', ({ accountId, ownerId }) => accountId === ownerId],
  ['owner-phone', 'OWNER', ({ phoneOwnerId, ownerId }) => phoneOwnerId === ownerId],
  ['prefetch', 'PREVIEW', ({ purpose }) => /\b(?:prefetch|prerender|preview)\b/i.test(purpose)],
  ['preview-agent', 'PREVIEW', ({ userAgent }) => classifyAgent(userAgent) === 'PREVIEW'],
  ['no-agent', 'BOT', ({ accountId, userAgent }) => accountId === null && userAgent.trim() === ''],
  [
    'bot-agent',
    'BOT',
    ({ accountId, userAgent }) => accountId === null && classifyAgent(userAgent) === 'BOT',
  ],
  ['head-request', 'PREVIEW', ({ method }) => method === 'HEAD'],
  [SAME_VISITOR_RULE, 'DUPLICATE', ({ sinceCounted }) => isDuplicate(sinceCounted)],
];

/** Rules that an agent decides, so that they can be asked again later; what others go by is not stored. */
export const AGENT_RULES: readonly string[] = ['preview-agent', 'no-agent', 'bot-agent'];

/** The class of a scan, with the name of the rule that decided it: stored beside it, so that a count can be explained. */
export function classifyScan(facts: ClassificationFacts): ClassificationDecision {
  const rule = CLASSIFICATION_RULES.find(([, , holds]) => holds(facts));
  return rule ? { class: rule[1], rule: rule[0] } : { class: 'HUMAN', rule: 'no-other-rule' };
}

/** Whether a robot, or a preview that nobody has opened yet, asks for something. */
export function isBotOrPreview(
  asked: Pick<ClassificationFacts, 'accountId' | 'method' | 'purpose' | 'userAgent'>,
): boolean {
  const { class: found } = classifyScan({ ownerId: '', phoneOwnerId: null, sinceCounted: null, ...asked });
  return found === 'BOT' || found === 'PREVIEW';
}

function isDuplicate(sinceCounted: number | null): boolean {
  return sinceCounted !== null && sinceCounted < DUPLICATE_WINDOW_SECONDS;
}
