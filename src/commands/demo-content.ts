import { randomBytes, randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { describeQrCodeKinds } from '../features/codes/index.ts';
import {
  addScanPartitions,
  createConnectionQueryRunner,
  describeUserAgent,
  insertScans,
  type NewScanRow,
} from '../features/scans/index.ts';
import type { Services } from '../services.ts';
import { generateId } from '../shared/ids.ts';
import { drawDemoPicture } from './demo-picture.ts';
import type { CommandProgress } from './progress.ts';

interface DemoCode {
  label: string;
  scanUrl: string;
  id: string;
  version: number;
}

interface DemoPlace {
  city: string;
  region: string;
  country: string;
}

const DEMO_KINDS = ['MEDICAL', 'LUGGAGE', 'CAR', 'MEMORY_TAG', 'URL', 'WIFI'];

const HISTORY_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

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

export async function createDemoQrCodes(base: string, token: string): Promise<DemoCode[]> {
  const examples = describeQrCodeKinds().filter(({ kind }) => DEMO_KINDS.includes(kind));
  const codes: DemoCode[] = [];
  for (const { kind, label, example } of examples) {
    const answer = await fetch(`${base}/api/qrcodes`, {
      method: 'POST',
      signal: AbortSignal.timeout(DEMO_REQUEST_TIMEOUT_MS),
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({
        kind,
        title: `My ${label.toLowerCase()}`,
        data: example,
        ...(kind === 'MEDICAL' && { visibilityPreset: 'EMERGENCY' }),
      }),
    });
    if (!answer.ok) throw new Error(`Creating a code of kind ${kind} failed with ${answer.status}.`);
    const { id, version, scanUrl } = (await answer.json()) as Omit<DemoCode, 'label'>;
    codes.push({ id, version, scanUrl, label });
  }
  return codes;
}

/** Upload a picture as an owner does; also for `npm run screenshots`. */
export async function addDemoPicture(base: string, token: string, qrCodeId: string): Promise<void> {
  const form = new FormData();
  const picture = await drawDemoPicture();
  form.append('picture', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'picture.jpg');
  const answer = await fetch(`${base}/api/qrcodes/${qrCodeId}/pictures`, {
    method: 'POST',
    signal: AbortSignal.timeout(DEMO_REQUEST_TIMEOUT_MS),
    headers: { Authorization: `Bearer ${token}` },
    body: form,
  });
  if (!answer.ok) throw new Error(`Adding a picture failed with ${answer.status}.`);
}

export async function saveDemoReport(base: string, token: string, file: string): Promise<void> {
  const answer = await fetch(`${base}/api/scans/report?format=html`, {
    signal: AbortSignal.timeout(DEMO_REQUEST_TIMEOUT_MS),
    headers: { Authorization: `Bearer ${token}` },
  });
  if (!answer.ok) throw new Error(`The report failed with ${answer.status}.`);
  await writeFile(file, await answer.text(), { mode: 0o600 });
}

export async function insertDemoScans(
  services: Services,
  codes: readonly DemoCode[],
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
    if (scans.length > 0) await insertScans(createConnectionQueryRunner(services.database.pool), scans);
    inserted += scans.length;
    progress.step(HISTORY_DAYS - day + 1, HISTORY_DAYS);
  }
  return inserted;
}

function createPastScan(code: DemoCode, daysAgo: number): NewScanRow {
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
