import { describeUserAgent } from '../../src/features/scans/describe-agent.ts';
import {
  classifyScan,
  DUPLICATE_SCAN_WINDOW_SECONDS,
  SAME_VISITOR_RULE,
  type ScanClass,
  type ScanClassificationDecision,
} from '../../src/features/scans/scan-class.rules.ts';
import { encryptExactPosition } from '../../src/features/scans/scan-position.ts';
import { hashScanVisitor } from '../../src/features/scans/visitor.ts';
import type { FieldCipher } from '../../src/platform/field-cipher.ts';
import { generateId } from '../../src/shared/ids.ts';
import { formatCopyLine } from './copy.ts';
import type { DataSize } from './data-size.ts';
import { CITIES, USER_AGENTS } from './examples.ts';
import type { GeneratedUsers } from './generate-users.ts';
import { createSeededRandom, interleave, pickOne } from './seeded-random.ts';

/** Columns in the order of `copyLine`. */
export const SCAN_COLUMNS = `id, qr_code_id, account_id, type, class, class_rule, is_unique, visitor_hash, position,
  city, region, country, device, os, browser, ip_truncated, user_agent, scanned_at`;

export interface GeneratedScan extends Pick<ScanClassification, 'class' | 'isUnique'> {
  id: string;
  qrCodeId: string;
  accountId: string;
  at: Date;
  visitor: Buffer;
  line: string;
}

const NETWORK_COUNT = 250;

/** Generate scans in chronological order, evenly spread with jitter. */
export function* generateScans(
  fieldCipher: FieldCipher,
  { organization, users }: GeneratedUsers,
  size: DataSize,
  [from, to]: readonly [Date, Date],
): Generator<GeneratedScan> {
  const chance = createSeededRandom(size.scans);
  const countVisitor = createVisitorTracker();
  const decidedBy = createAgentClassifier();
  const { knownCodeScans, busyCodeScans, others } = size;
  const scansByParty = {
    known: knownCodeScans,
    busy: busyCodeScans,
    spread: size.scans - knownCodeScans - busyCodeScans,
    others,
  };
  const step = (to.getTime() - from.getTime()) / (size.scans + others);
  let index = 0;
  for (const party of interleave(scansByParty)) {
    const at = new Date(from.getTime() + (index + chance()) * step);
    index += 1;
    const { id: accountId, codes } = party === 'others' ? pickOne(users, chance) : organization;
    const qrCodeId = pickCode(party, codes, chance);
    const id = generateId(at);
    const userAgent = pickOne(USER_AGENTS, chance);
    const ip = `10.1.${Math.floor(chance() * NETWORK_COUNT)}.0`;
    const place = pickOne(CITIES, chance);
    const isLocated = chance() < size.located;
    const accuracy = Math.round(5 + chance() * 60);
    const near = { latitude: place.latitude + chance() / 10, longitude: place.longitude + chance() / 10 };
    const decision = decidedBy(userAgent);
    const visit =
      decision.class === 'HUMAN'
        ? countVisitor(`${qrCodeId}${ip}${userAgent}`, at, decision)
        : { ...decision, isUnique: false };
    const { device, os, browser } = describeUserAgent(userAgent);
    const { city, region, country } = place;
    const location = { ...near, accuracy, address: `${city}, ${region}`, city, region, country };
    const visitor = hashScanVisitor(fieldCipher, { ip, userAgent }, qrCodeId, at);
    const line = formatCopyLine([
      ...[id, qrCodeId, accountId, isLocated ? 'guest' : 'public'],
      ...[visit.class, visit.rule, visit.isUnique],
      visitor,
      isLocated ? encryptExactPosition(fieldCipher, { id, accountId }, location) : null,
      ...(isLocated ? [city, region, country] : [null, null, null]),
      ...[device, os, browser, ip, userAgent, at],
    ]);
    yield { id, qrCodeId, accountId, at, visitor, class: visit.class, isUnique: visit.isUnique, line };
  }
}

function createAgentClassifier(): (userAgent: string) => ScanClassificationDecision {
  const known = new Map<string, ScanClassificationDecision>();
  const visitor = {
    accountId: '',
    scannerId: null,
    phoneUserId: null,
    method: 'POST',
    purpose: '',
    sinceCounted: null,
  };
  return (userAgent) => {
    const decision = known.get(userAgent) ?? classifyScan({ ...visitor, userAgent });
    known.set(userAgent, decision);
    return decision;
  };
}

function pickCode(party: string, codes: readonly string[], chance: () => number): string {
  const rest = codes.length - 2;
  const index = party === 'known' ? 0 : party === 'busy' ? 1 : 2 + Math.floor(chance() ** 3 * rest);
  return codes[index] ?? '';
}

interface ScanClassification {
  class: ScanClass;
  rule: string;
  isUnique: boolean;
}

const DAY_MS = 86_400_000;

/** Separate first scans per visitor and UTC day from others as the service does; scans must be chronological. */
function createVisitorTracker(): (
  visitor: string,
  at: Date,
  decision: Omit<ScanClassification, 'isUnique'>,
) => ScanClassification {
  let day = 0;
  let today = new Map<string, number>();
  let yesterday = new Map<string, number>();
  return (visitor, at, decision) => {
    const time = at.getTime();
    const dayNow = Math.floor(time / DAY_MS);
    if (dayNow !== day) {
      yesterday = dayNow === day + 1 ? today : new Map();
      today = new Map();
      day = dayNow;
    }
    const last = today.get(visitor) ?? null;
    const lastDay = Math.max(last ?? 0, yesterday.get(visitor) ?? 0);
    if (lastDay > time - DUPLICATE_SCAN_WINDOW_SECONDS * 1000)
      return { class: 'DUPLICATE', rule: SAME_VISITOR_RULE, isUnique: false };
    today.set(visitor, time);
    return { ...decision, isUnique: last === null };
  };
}
