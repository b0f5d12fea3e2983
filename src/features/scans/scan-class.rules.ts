import { classifyUserAgent, isSelfDeclaredBot } from './agent-class.rules.ts';

export const SCAN_CLASSES = ['HUMAN', 'BOT', 'PREVIEW', 'OWNER', 'DUPLICATE'] as const;

export type ScanClass = (typeof SCAN_CLASSES)[number];

export function parseScanClass(stored: string): ScanClass {
  return SCAN_CLASSES.find((name) => name === stored) ?? 'HUMAN';
}

/** Another scan by the same visitor within this time is a DUPLICATE. */
export const DUPLICATE_SCAN_WINDOW_SECONDS = 30 * 60;

export const SAME_VISITOR_RULE = 'same-visitor';

export interface ScanClassificationFacts {
  accountId: string;
  scannerId: string | null;
  phoneUserId: string | null;
  /** Of the scanner and the user of the phone, those who act for the account of the code. */
  memberIds?: readonly string[];
  method: string;
  /** Sec-Purpose, Purpose, X-Purpose and X-Moz headers. */
  purpose: string;
  userAgent: string;
  /** A browser that opens a page says so in a header, beside the languages of its user. */
  isNavigation?: boolean;
  /** Null without a counted scan today or yesterday. */
  sinceCounted: number | null;
}

export interface ScanClassificationDecision {
  class: ScanClass;
  rule: string;
}

type ClassificationRule = readonly [
  name: string,
  scanClass: ScanClass,
  matches: (facts: ScanClassificationFacts) => boolean,
];

/** The first match decides. Signed-in users are never bots, whatever their user agent. */
const CLASSIFICATION_RULES: readonly ClassificationRule[] = [
  ['owner-account', 'OWNER', (facts) => isOfOwner(facts, facts.scannerId)],
  ['owner-phone', 'OWNER', (facts) => isOfOwner(facts, facts.phoneUserId)],
  ['prefetch', 'PREVIEW', ({ purpose }) => /\b(?:prefetch|prerender|preview)\b/i.test(purpose)],
  ['preview-agent', 'PREVIEW', ({ userAgent }) => classifyUserAgent(userAgent) === 'PREVIEW'],
  ['no-agent', 'BOT', ({ scannerId, userAgent }) => scannerId === null && userAgent.trim() === ''],
  // A word in the agent is not enough where the rest of the request is that of a person.
  [
    'browser-navigation',
    'HUMAN',
    ({ isNavigation = false, userAgent }) =>
      isNavigation && classifyUserAgent(userAgent) === 'BOT' && !isSelfDeclaredBot(userAgent),
  ],
  [
    'bot-agent',
    'BOT',
    ({ scannerId, userAgent }) => scannerId === null && classifyUserAgent(userAgent) === 'BOT',
  ],
  ['head-request', 'PREVIEW', ({ method }) => method === 'HEAD'],
  [SAME_VISITOR_RULE, 'DUPLICATE', ({ sinceCounted }) => isDuplicate(sinceCounted)],
];

/** Other facts are not stored, so only these can be evaluated again later. */
export const USER_AGENT_RULE_NAMES: readonly string[] = ['preview-agent', 'no-agent', 'bot-agent'];

export function classifyScan(facts: ScanClassificationFacts): ScanClassificationDecision {
  const rule = CLASSIFICATION_RULES.find(([, , matches]) => matches(facts));
  return rule ? { class: rule[1], rule: rule[0] } : { class: 'HUMAN', rule: 'no-other-rule' };
}

export function isBotOrPreviewRequest(
  request: Pick<ScanClassificationFacts, 'scannerId' | 'method' | 'purpose' | 'userAgent' | 'isNavigation'>,
): boolean {
  const { class: scanClass } = classifyScan({
    accountId: '',
    phoneUserId: null,
    sinceCounted: null,
    ...request,
  });
  return scanClass === 'BOT' || scanClass === 'PREVIEW';
}

/** A personal account has the id of its user. */
function isOfOwner({ accountId, memberIds = [] }: ScanClassificationFacts, userId: string | null): boolean {
  return userId !== null && (userId === accountId || memberIds.includes(userId));
}

function isDuplicate(sinceCounted: number | null): boolean {
  return sinceCounted !== null && sinceCounted < DUPLICATE_SCAN_WINDOW_SECONDS;
}
