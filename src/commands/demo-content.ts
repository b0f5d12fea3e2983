import { randomBytes, randomInt } from 'node:crypto';
import { recordScans } from '../features/scans/scan-record.repository.ts';
import { describeKinds } from '../features/qrcodes/kinds/describe-kinds.ts';
import type { Services } from '../services.ts';
import { newId } from '../shared/ids.ts';
import type { Progress } from './progress.ts';

/** A code of the demo account. */
interface DemoCode {
  id: string;
  ownerId: string;
}

const KINDS = ['MEDICAL', 'LUGGAGE', 'CAR', 'MEMORY_TAG', 'URL', 'WIFI'];

const DAYS = 90;
const DAY = 24 * 60 * 60 * 1000;

const PLACES = [
  { city: 'Berlin', region: 'Berlin', country: 'DE' },
  { city: 'Paris', region: 'Île-de-France', country: 'FR' },
  { city: 'London', region: 'England', country: 'GB' },
  { city: 'Lisbon', region: 'Lisbon', country: 'PT' },
];

const AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
];

/** Makes codes of several kinds, through the interface, from the examples that clients see. */
export async function makeDemoCodes(base: string, token: string): Promise<DemoCode[]> {
  const examples = describeKinds().filter(({ kind }) => KINDS.includes(kind));
  const codes: DemoCode[] = [];
  for (const { kind, label, example } of examples) {
    const answer = await fetch(`${base}/api/qrcodes`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ kind, title: `My ${label.toLowerCase()}`, data: example }),
    });
    if (!answer.ok) throw new Error(`A code of kind ${kind} was answered with ${answer.status}.`);
    const { id, ownerId }: DemoCode = await answer.json();
    codes.push({ id, ownerId });
    console.log(`  ${label}: ${base}/s/${id}`);
  }
  return codes;
}
