import { classOf, type Decision, RULES_BY_AGENT, SAME_VISITOR, type ScanClass } from './scan-class.rules.ts';

/** What is stored of a scan that its class can be decided by again. */
export interface StoredFacts {
  id: string;
  type: string;
  class: ScanClass;
  classRule: string;
  isUnique: boolean;
  ipTruncated: string;
  userAgent: string;
  /** Whether the account that made it is known. */
  hasScanner: boolean;
  scannedAt: Date;
}

/** A scan that is to be counted otherwise than before. */
export interface Reclassified {
  id: string;
  class: ScanClass;
  classRule: string;
  isUnique: boolean;
}

/** Rules that can be asked again; the facts of all others came with the request alone and are kept as decided. */
const ASKED_AGAIN: readonly string[] = [...RULES_BY_AGENT, SAME_VISITOR, 'no-other-rule'];

/**
 * The scans of a code and UTC day that today's rules count otherwise. Takes them in the order of time, after those of
 * the window before the day, which are only looked at.
 */
export function reclassify(scans: readonly StoredFacts[], dayBegins: Date): Reclassified[] {
  const countedAt = new Map<string, number>();
  const seen = new Set<string>();
  const changed: Reclassified[] = [];
  for (const scan of scans) {
    const visitor = `${scan.ipTruncated} ${scan.userAgent}`;
    const at = scan.scannedAt.getTime();
    const last = countedAt.get(visitor);
    const isBefore = scan.scannedAt < dayBegins;
    const decided =
      isBefore || !isAskedAgain(scan)
        ? asStored(scan)
        : decide(scan, last === undefined ? null : (at - last) / 1000);
    const isHuman = decided.class === 'HUMAN';
    if (isHuman) countedAt.set(visitor, at);
    if (isBefore) continue;
    const isUnique = isEmptied(scan) ? scan.isUnique : isHuman && !seen.has(visitor);
    if (isHuman) seen.add(visitor);
    if (decided.class !== scan.class || decided.rule !== scan.classRule || isUnique !== scan.isUnique)
      changed.push({ id: scan.id, class: decided.class, classRule: decided.rule, isUnique });
  }
  return changed;
}

function isAskedAgain(scan: StoredFacts): boolean {
  return ASKED_AGAIN.includes(scan.classRule) && !isEmptied(scan);
}

/** Of an erased account nothing is left to decide by. */
function isEmptied({ ipTruncated, userAgent }: StoredFacts): boolean {
  return ipTruncated === '' && userAgent === '';
}

function asStored(scan: StoredFacts): Decision {
  return { class: scan.class, rule: scan.classRule };
}

function decide({ type, hasScanner, userAgent }: StoredFacts, sinceCounted: number | null): Decision {
  const accountId = type === 'user' || hasScanner ? 'somebody' : null;
  return classOf({
    ownerId: 'the owner',
    accountId,
    ownPhoneOf: null,
    method: 'GET',
    purpose: '',
    userAgent,
    sinceCounted,
  });
}
