import { randomInt } from 'node:crypto';
import { describeUserAgent } from '../../../../src/features/scans/describe-agent.ts';
import { insertScans, type NewScanRow } from '../../../../src/features/scans/insert-scan.repository.ts';
import { hashScanVisitor } from '../../../../src/features/scans/visitor.ts';
import { DAY_MS } from '../../../../src/shared/durations.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { PHONE_USER_AGENT, type TestApp } from '../../../helper.ts';

const TEST_PLACES = [
  { city: 'Berlin', region: 'Berlin', country: 'DE' },
  { city: 'Paris', region: 'Île-de-France', country: 'FR' },
  { city: null, region: null, country: null },
];
const TEST_AGENTS = [
  PHONE_USER_AGENT,
  `${PHONE_USER_AGENT} other`,
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'curl/8.5.0',
];
const TEST_CLASSES = ['HUMAN', 'HUMAN', 'HUMAN', 'BOT', 'PREVIEW', 'OWNER'] as const;

export function createTestScan(
  { services }: Pick<TestApp, 'services'>,
  qrCodeId: string,
  scannedAt: Date,
): NewScanRow {
  const userAgent = TEST_AGENTS[randomInt(TEST_AGENTS.length)] ?? '';
  const visitor = { ip: `10.0.${randomInt(5)}.0`, userAgent };
  const hashAt = (at: Date) => hashScanVisitor(services.fieldCipher, visitor, qrCodeId, at);
  return {
    id: generateId(scannedAt),
    qrCodeId,
    codeVersion: 1,
    scannerId: null,
    type: 'public',
    class: TEST_CLASSES[randomInt(TEST_CLASSES.length)] ?? 'HUMAN',
    classRule: 'test',
    visitorHash: hashAt(scannedAt),
    previousDayVisitorHash: hashAt(new Date(scannedAt.getTime() - DAY_MS)),
    position: null,
    ...(TEST_PLACES[randomInt(TEST_PLACES.length)] ?? { city: null, region: null, country: null }),
    ...describeUserAgent(userAgent),
    ipTruncated: visitor.ip,
    userAgent,
    unlockedAt: null,
    unlockedVersion: null,
    scannedAt,
    notification: null,
  };
}

export async function insertScatteredScans(
  test: Pick<TestApp, 'services' | 'database'>,
  codes: readonly string[],
  count: number,
  [from, to]: readonly [Date, Date],
): Promise<void> {
  const scans = Array.from({ length: count }, () => {
    const at = new Date(from.getTime() + randomInt(to.getTime() - from.getTime()));
    return createTestScan(test, codes[randomInt(codes.length)] ?? '', at);
  });
  await insertScans(test.database.pool, scans);
}
