import {
  classifyScan,
  SAME_VISITOR_RULE,
  type ScanClass,
  type ScanClassificationDecision,
  USER_AGENT_RULE_NAMES,
} from './scan-class.rules.ts';

export interface StoredScanFacts {
  id: string;
  type: string;
  class: ScanClass;
  classRule: string;
  isUnique: boolean;
  ipTruncated: string;
  userAgent: string;
  hasScanner: boolean;
  scannedAt: Date;
}

export interface ReclassifiedScan {
  id: string;
  class: ScanClass;
  classRule: string;
  isUnique: boolean;
}

/** Rules over stored facts only; decisions by other rules are kept. */
const REEVALUATED_RULES: readonly string[] = [...USER_AGENT_RULE_NAMES, SAME_VISITOR_RULE, 'no-other-rule'];

/** Expects scans in the order of time; those before the day are context only. */
export function findReclassifiedScans(scans: readonly StoredScanFacts[], dayStart: Date): ReclassifiedScan[] {
  const countedAt = new Map<string, number>();
  const countedVisitors = new Set<string>();
  const changed: ReclassifiedScan[] = [];
  for (const scan of scans) {
    const visitor = `${scan.ipTruncated} ${scan.userAgent}`;
    const at = scan.scannedAt.getTime();
    const last = countedAt.get(visitor);
    const isBefore = scan.scannedAt < dayStart;
    const decision =
      isBefore || !isReevaluated(scan)
        ? toStoredDecision(scan)
        : reclassifyScan(scan, last === undefined ? null : (at - last) / 1000);
    const isHuman = decision.class === 'HUMAN';
    if (isHuman) countedAt.set(visitor, at);
    if (isBefore) continue;
    const isUnique = isErased(scan) ? scan.isUnique : isHuman && !countedVisitors.has(visitor);
    if (isHuman) countedVisitors.add(visitor);
    if (decision.class !== scan.class || decision.rule !== scan.classRule || isUnique !== scan.isUnique)
      changed.push({ id: scan.id, class: decision.class, classRule: decision.rule, isUnique });
  }
  return changed;
}

function isReevaluated(scan: StoredScanFacts): boolean {
  return REEVALUATED_RULES.includes(scan.classRule) && !isErased(scan);
}

/** Nothing is left of an erased account to decide by. */
function isErased({ ipTruncated, userAgent }: StoredScanFacts): boolean {
  return ipTruncated === '' && userAgent === '';
}

function toStoredDecision(scan: StoredScanFacts): ScanClassificationDecision {
  return { class: scan.class, rule: scan.classRule };
}

function reclassifyScan(
  { type, hasScanner, userAgent }: StoredScanFacts,
  sinceCounted: number | null,
): ScanClassificationDecision {
  const scannerId = type === 'user' || hasScanner ? 'a user' : null;
  return classifyScan({
    accountId: 'the owner',
    scannerId,
    phoneUserId: null,
    method: 'GET',
    purpose: '',
    userAgent,
    sinceCounted,
  });
}
