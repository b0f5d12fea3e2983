import { randomBytes, randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Schemas } from '@qr-profile-service/client';
import { describeQrCodeKinds } from '../features/codes/index.ts';
import {
  addScanPartitions,
  describeUserAgent,
  insertScans,
  type NewScanRow,
} from '../features/scans/index.ts';
import type { Services } from '../services.ts';
import { DAY_MS } from '../shared/durations.ts';
import { generateId } from '../shared/ids.ts';
import { BROWN, drawDemoPicture } from './demo-picture.ts';
import type { CommandProgress } from './progress.ts';

export interface DemoCode {
  kind: string;
  label: string;
  scanUrl: string;
  id: string;
}

/** Scans are stored for the current version of a code, which a picture increases. */
interface ScannableCode {
  id: string;
  version: number;
}

interface DemoPlace {
  city: string;
  region: string;
  country: string;
}

const DEMO_TITLES: Readonly<Record<string, string>> = {
  MEDICAL: 'Maria’s bracelet',
  LUGGAGE: 'Green backpack',
  CAR: 'Family car',
  MEMORY_TAG: 'Katharina Brandt',
  URL: 'Menu',
  WIFI: 'Guest Wi-Fi',
};

/** The page takes a form that was open for 2 s at least. */
const GUEST_BOOK_FILL_MS = 2_100;

const HISTORY_DAYS = 90;

const DEMO_PLACES: readonly [DemoPlace, ...DemoPlace[]] = [
  { city: 'Berlin', region: 'Berlin', country: 'DE' },
  { city: 'Paris', region: 'Île-de-France', country: 'FR' },
  { city: 'London', region: 'England', country: 'GB' },
  { city: 'Lisbon', region: 'Lisbon', country: 'PT' },
];

const DEMO_USER_AGENTS: readonly [string, ...string[]] = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
];

/** A loaded machine answers late. */
export const DEMO_REQUEST_TIMEOUT_MS = 30_000;

export async function createDemoQrCodes(client: Client): Promise<DemoCode[]> {
  const codes: DemoCode[] = [];
  for (const { kind, label, example } of describeQrCodeKinds()) {
    const title = DEMO_TITLES[kind];
    if (title === undefined) continue;
    const body = {
      kind,
      title,
      data: example,
      ...(kind === 'MEDICAL' && { visibilityPreset: 'EMERGENCY' }),
    } as Schemas['NewQrCode'];
    const code = await client.post('/api/qrcodes', { body });
    if (kind === 'MEMORY_TAG') await client.post('/api/memory-tags', { body: createDemoMemoryTag(code.id) });
    codes.push({ ...code, label });
  }
  return codes;
}

function createDemoMemoryTag(qrCodeId: string) {
  return {
    qrCodeId,
    name: 'Katharina Brandt',
    bornOn: '1931-05-17',
    diedOn: '2024-11-02',
    epitaph: 'She planted trees whose shade was for others.',
    guestBookOpen: true,
  };
}

export async function createLostDemoPet(client: Client): Promise<DemoCode> {
  const code = await client.post('/api/qrcodes', {
    body: {
      kind: 'PET',
      title: 'Bella',
      data: { name: 'Bella', species: 'Dog', color: 'Brown and white, left ear folded', sex: 'FEMALE' },
    },
  });
  await addDemoPicture(client, code.id, BROWN);
  await client.post('/api/qrcodes/{id}/lost', {
    path: { id: code.id },
    body: {
      message: 'Ran away on Sunday. She is shy: please do not run after her.',
      reward: '100 EUR',
      lastSeen: 'Viktoriapark, Berlin',
    },
  });
  return { ...code, label: 'Lost pet' };
}

/** Open the page of a memorial as a visitor. @returns what signs its guest book */
export async function openDemoGuestBook(scanUrl: string, userAgent: string): Promise<() => Promise<void>> {
  const signal = AbortSignal.timeout(DEMO_REQUEST_TIMEOUT_MS);
  const page = await fetch(scanUrl, { signal, headers: { 'User-Agent': userAgent } });
  const filled = sleep(GUEST_BOOK_FILL_MS);
  const [, visit] = /name="visit" value="([\w.-]+)"/.exec(await page.text()) ?? [];
  if (visit === undefined) throw new Error(`${scanUrl} has no guest book.`);
  return async () => {
    await filled;
    const answer = await fetch(`${scanUrl}/guest-book`, {
      method: 'POST',
      signal: AbortSignal.timeout(DEMO_REQUEST_TIMEOUT_MS),
      headers: { 'User-Agent': userAgent },
      body: new URLSearchParams({
        visit,
        message: 'She taught me to read, and to ask.',
        name: 'Eva and Jan',
      }),
    });
    if (!answer.ok) throw new Error(`Signing the guest book failed with ${answer.status}.`);
  };
}

/** Upload a picture as an owner does; also for scripts/screenshots.ts. */
export async function addDemoPicture(client: Client, id: string, coat?: typeof BROWN): Promise<void> {
  const body = new FormData();
  const picture = await drawDemoPicture(coat);
  body.append('picture', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'picture.jpg');
  await client.post('/api/qrcodes/{id}/pictures', { path: { id }, body });
}

export async function saveDemoReport(client: Client, file: string): Promise<void> {
  const report = await client.download('/api/scans/report', { query: { format: 'html' } });
  await writeFile(file, await report.text(), { mode: 0o600 });
}

export async function insertDemoScans(
  services: Services,
  codes: readonly ScannableCode[],
  progress: CommandProgress,
  signal: AbortSignal,
): Promise<number> {
  await addScanPartitions(services.database.client, new Date(Date.now() - HISTORY_DAYS * DAY_MS), new Date());
  let inserted = 0;
  for (let day = HISTORY_DAYS; day > 0 && !signal.aborted; day -= 1) {
    const scans = codes.flatMap((code) =>
      Array.from({ length: randomInt(0, 3 + Math.floor((HISTORY_DAYS - day) / 20)) }, () =>
        createPastScan(code, day),
      ),
    );
    if (scans.length > 0) inserted += (await insertScans(services.database.pool, scans)).length;
    progress.step(HISTORY_DAYS - day + 1, HISTORY_DAYS);
  }
  return inserted;
}

function createPastScan(code: ScannableCode, daysAgo: number): NewScanRow {
  const scannedAt = new Date(Date.now() - daysAgo * DAY_MS + randomInt(DAY_MS));
  const place = pickRandom(DEMO_PLACES);
  const userAgent = pickRandom(DEMO_USER_AGENTS);
  return {
    id: generateId(scannedAt),
    qrCodeId: code.id,
    codeVersion: code.version,
    scannerId: null,
    type: 'guest',
    class: 'HUMAN',
    classRule: 'demo',
    visitorHash: randomBytes(32),
    previousDayVisitorHash: randomBytes(32),
    position: null,
    ...place,
    ...describeUserAgent(userAgent),
    ipTruncated: '192.0.2.0',
    userAgent,
    unlockedAt: null,
    unlockedVersion: null,
    scannedAt,
    notification: null,
  };
}

function pickRandom<Item>(items: readonly [Item, ...Item[]]): Item {
  return items[randomInt(items.length)] ?? items[0];
}
