import { randomInt } from 'node:crypto';
import { ENCRYPTED_COLUMNS, type EncryptedColumn } from '../../src/platform/encrypted-columns.ts';
import { findEncryptedValues, findStaleValues } from '../../src/platform/reencrypt.repository.ts';
import { ServiceError } from '../../src/shared/errors.ts';
import type { BenchApp } from '../bench-app.ts';
import { ALTERATIONS, BYTE_ALTERATIONS, type StoredCiphertext } from './alterations.ts';

export interface AlterationResult {
  values: number;
  open: number;
  attempted: number;
  accepted: string[];
  requested: number;
  /** Requests whose response was not 500 DATA_INTEGRITY. */
  answered: string[];
  criticalEntries: number;
}

interface VisibleCiphertext extends StoredCiphertext {
  url: string;
}

/**
 * Alter `total` ciphertexts and decrypt them in the service; write `sampled` of them to the database and request them
 * through the API.
 */
export async function alterCiphertexts(
  bench: BenchApp,
  { total, sampled }: { total: number; sampled: number },
): Promise<AlterationResult> {
  const { services } = bench;
  const owner = await bench.owner();
  await createContent(bench, owner);
  const all = await listAllCiphertexts(bench);
  const result: AlterationResult = {
    values: all.length,
    open: all.filter((value) => canDecrypt(bench, value)).length,
    attempted: 0,
    accepted: [],
    requested: 0,
    answered: [],
    criticalEntries: 0,
  };
  const names = Object.keys(ALTERATIONS);
  for (; result.attempted < total; result.attempted += 1) {
    const name = names[result.attempted % names.length] ?? '';
    const value = pickRandom(all);
    const altered = ALTERATIONS[name]?.(value, all);
    if (altered && canDecrypt(bench, altered)) result.accepted.push(name);
  }
  const shown = all.flatMap((value) => findVisibleAt(value));
  for (; result.requested < sampled; result.requested += 1) {
    const name = BYTE_ALTERATIONS[result.requested % BYTE_ALTERATIONS.length] ?? '';
    const { url, place, bytes } = pickRandom(shown);
    const altered = ALTERATIONS[name]?.({ place, bytes }, all);
    await storeCiphertext(bench, place, altered?.bytes ?? bytes);
    const answer = await bench.sendRequest('GET', url, { token: owner.token });
    await storeCiphertext(bench, place, bytes);
    if (answer.status !== 500 || answer.body.code !== 'DATA_INTEGRITY')
      result.answered.push(`${name} of ${place.table}.${place.column}: ${answer.status}`);
  }
  result.criticalEntries = await services.database.client.auditEntry.count({
    where: { action: 'DATA_INTEGRITY_FAILED', severity: 'CRITICAL' },
  });
  return result;
}

async function createContent(
  { sendRequest }: BenchApp,
  { id, token }: { id: string; token: string },
): Promise<void> {
  const made = async (url: string, body: unknown, as?: string) => {
    const answer = await sendRequest('POST', url, { body, ...(as ? { token: as } : {}) });
    if (answer.status >= 300) throw new Error(`POST ${url}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  for (let n = 0; n < 4; n += 1) {
    const data = { name: `Rex ${n}` };
    await made('/api/qrcodes', { kind: 'MEDICAL', title: 'Bracelet', data }, token);
    const code = await made('/api/qrcodes', { kind: 'PET', title: 'Rex', data }, token);
    await made(`/api/qrcodes/${code.id}/lost`, { message: `Call me ${n}` }, token);
    await made('/api/scans/geocoded', { qrCodeId: code.id, latitude: 52.5, longitude: 13.4 + n / 10 });
  }
  await sendRequest('PUT', `/api/auth/profile/${id}`, { token, body: { phone: '+4930123456' } });
}

async function listAllCiphertexts({ services: { database } }: BenchApp): Promise<StoredCiphertext[]> {
  const found: StoredCiphertext[] = [];
  for (const column of ENCRYPTED_COLUMNS) {
    // With an unknown primary key every value counts as stale.
    const { stale } = await findStaleValues(database, column, '', 'none');
    for (const { id, ownerId, bytes } of await findEncryptedValues(database, column, stale))
      found.push({ place: { table: column.table, column: column.column, rowId: id, ownerId }, bytes });
  }
  return found;
}

function findVisibleAt({ place, bytes }: StoredCiphertext): VisibleCiphertext[] {
  const urls: Record<string, string> = {
    'qr_codes.data': `/api/qrcodes/${place.rowId}`,
    'qr_codes.lost_details': `/api/qrcodes/${place.rowId}`,
    'scans.position': `/api/scans/${place.rowId}`,
    'users.phone': '/api/auth/me',
  };
  const url = urls[`${place.table}.${place.column}`];
  return url === undefined ? [] : [{ place, bytes, url }];
}

function canDecrypt({ services }: BenchApp, { place, bytes }: StoredCiphertext): boolean {
  try {
    services.fieldCipher.decrypt(place, bytes);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'DATA_INTEGRITY') return false;
    throw error;
  }
}

async function storeCiphertext(
  { services }: BenchApp,
  { table, column, rowId }: StoredCiphertext['place'],
  bytes: Buffer,
): Promise<void> {
  const known: EncryptedColumn | undefined = ENCRYPTED_COLUMNS.find(
    (candidate) => candidate.table === table && candidate.column === column,
  );
  if (!known) throw new Error(`${table}.${column} is not encrypted`);
  await services.database.pool.query(`UPDATE ${table} SET ${column} = $2 WHERE ${known.rowId} = $1`, [
    rowId,
    bytes,
  ]);
}

function pickRandom<Item>(items: readonly Item[]): Item {
  const item = items[randomInt(items.length)];
  if (item === undefined) throw new Error('there is nothing to alter');
  return item;
}
