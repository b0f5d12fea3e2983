import { mkdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { encryptQrCodeData } from '../src/features/codes/encrypted-content.ts';
import { getQrCodeImagePath } from '../src/features/codes/image-files.ts';
import { encryptExactPosition } from '../src/features/scans/scan-position.ts';
import type { Services } from '../src/services.ts';
import { generateId } from '../src/shared/ids.ts';

const BATCH_SIZE = 2_000;
const SAMPLE_NOTES = 'Friendly, but afraid of thunder. '.repeat(12);
const BERLIN_PLACE = { city: 'Berlin', region: 'State of Berlin', country: 'DE' };
const BERLIN_POSITION = {
  latitude: 52.5163,
  longitude: 13.3777,
  accuracy: 12,
  address: 'Pariser Platz, Berlin',
  ...BERLIN_PLACE,
};

export interface LargeAccount {
  userId: string;
  sessionId: string;
  qrCodeIds: string[];
}

export interface AccountSize {
  qrCodes: number;
  scans: number;
  notifications: number;
}

export async function createLargeAccount(services: Services, size: AccountSize): Promise<LargeAccount> {
  const { fieldCipher, database, publicFiles } = services;
  const { client } = database;
  await publicFiles.prepare();
  await services.privateFiles.prepare();
  await mkdir(services.mailboxDir, { recursive: true });
  const userId = generateId();
  const profile = { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL', status: 'ACTIVE' };
  await client.user.create({ data: { id: userId, email: `${userId}@example.org`, ...profile } });
  const sessionId = generateId();
  const expiresAt = new Date(Date.now() + 86_400_000);
  await client.session.create({
    data: { id: sessionId, userId, ip: '127.0.0.1', userAgent: 'bench', expiresAt },
  });

  const qrCodeIds = Array.from({ length: size.qrCodes }, () => generateId());
  const image = Buffer.alloc(4_000, 'a picture of some size');
  await runInBatches(qrCodeIds.length, async (from, to) => {
    const rows = qrCodeIds.slice(from, to).map((id, index) => ({
      ...{
        id,
        ownerId: userId,
        kind: 'PET',
        mode: 'DYNAMIC',
        title: `Collar ${from + index}`,
        slug: 'collar',
      },
      data: encryptQrCodeData(
        fieldCipher,
        { id, ownerId: userId, kind: 'PET' },
        { name: `Rex ${from + index}`, species: 'Dog', notes: SAMPLE_NOTES },
      ),
      visibility: {},
      design: { size: 512, margin: 4 },
      imageFile: `pet-collar-${userId}-${String(1_700_000_000_000 + from + index)}.png`,
      createdAt: new Date(1_700_000_000_000 + (from + index) * 1000),
    }));
    await Promise.all(
      rows.map(({ imageFile }) => publicFiles.put(getQrCodeImagePath(imageFile), Readable.from([image]))),
    );
    await client.qrCode.createMany({ data: rows });
  });
  await runInBatches(size.scans, async (from, to) => {
    const data = Array.from({ length: to - from }, (_, index) => {
      const id = generateId();
      return {
        ...{
          id,
          qrCodeId: qrCodeIds[(from + index) % qrCodeIds.length] ?? '',
          ownerId: userId,
          type: 'guest',
        },
        ...{ class: 'HUMAN', classRule: 'no-other-rule', visitorHash: Buffer.alloc(32, 1), ...BERLIN_PLACE },
        ...{
          position: encryptExactPosition(fieldCipher, { id, ownerId: userId }, BERLIN_POSITION),
          ipTruncated: '203.0.113.0',
          userAgent: 'Mozilla/5.0',
        },
        scannedAt: new Date(1_700_000_000_000 + (from + index) * 1000),
      };
    });
    await client.scan.createMany({ data });
  });
  await runInBatches(size.notifications, async (from, to) => {
    const notification = {
      userId,
      type: 'DEFAULT',
      event: 'QR_CODE_SCANNED',
      data: { code: 'Rex', place: 'Berlin' },
    };
    await client.notification.createMany({
      data: Array.from({ length: to - from }, () => {
        const id = generateId();
        return { id, key: id, dueAt: null, ...notification };
      }),
    });
  });
  await database.pool.query('ANALYZE');
  return { userId, sessionId, qrCodeIds: qrCodeIds.slice(-100) };
}

async function runInBatches(total: number, work: (from: number, to: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < total; from += BATCH_SIZE) await work(from, Math.min(total, from + BATCH_SIZE));
  process.stderr.write(`${total} rows\n`);
}
