import { randomInt } from 'node:crypto';
import {
  ENCRYPTED_COLUMNS,
  type EncryptedColumnDefinition,
} from '../../../src/platform/encrypted-columns.ts';
import { findEncryptedValues, findStaleEncryptedValues } from '../../../src/platform/reencrypt.repository.ts';
import { ServiceError } from '../../../src/shared/errors.ts';
import type { TestApp, TestUser } from '../../helper.ts';
import { ALTERATIONS, BYTE_ALTERATIONS, type StoredCiphertext } from './alterations.ts';

export interface AlterationResult {
  values: number;
  open: number;
  attemptCount: number;
  acceptedAlterations: string[];
  requestCount: number;
  /** Requests whose response was not 500 DATA_INTEGRITY. */
  unexpectedResponses: string[];
  criticalEntries: number;
}

interface VisibleCiphertext extends StoredCiphertext {
  url: string;
}

/** Alter `total` ciphertexts, decrypt them in the service, and request `sampleSize` of them through the API. */
export async function alterCiphertexts(
  app: TestApp,
  { total, sampleSize }: { total: number; sampleSize: number },
): Promise<AlterationResult> {
  const { services } = app;
  const owner = await app.createUser();
  await createContent(app, owner);
  const all = await listAllCiphertexts(app);
  const result: AlterationResult = {
    values: all.length,
    open: all.filter((value) => canDecrypt(app, value)).length,
    attemptCount: 0,
    acceptedAlterations: [],
    requestCount: 0,
    unexpectedResponses: [],
    criticalEntries: 0,
  };
  const names = Object.keys(ALTERATIONS);
  for (; result.attemptCount < total; result.attemptCount += 1) {
    const name = names[result.attemptCount % names.length] ?? '';
    const value = pickRandom(all);
    const altered = ALTERATIONS[name]?.(value, all);
    if (altered && canDecrypt(app, altered)) result.acceptedAlterations.push(name);
  }
  const visible = all.flatMap((value) => findVisibleAt(value));
  for (; result.requestCount < sampleSize; result.requestCount += 1) {
    const name = BYTE_ALTERATIONS[result.requestCount % BYTE_ALTERATIONS.length] ?? '';
    const { url, location, bytes } = pickRandom(visible);
    const altered = ALTERATIONS[name]?.({ location, bytes }, all);
    await storeCiphertext(app, location, altered?.bytes ?? bytes);
    const response = await app.call('GET', url, { token: owner.accessToken });
    await storeCiphertext(app, location, bytes);
    if (response.status !== 500 || response.body.code !== 'DATA_INTEGRITY')
      result.unexpectedResponses.push(`${name} of ${location.table}.${location.column}: ${response.status}`);
  }
  result.criticalEntries = await services.database.client.auditEntry.count({
    where: { action: 'DATA_INTEGRITY_FAILED', severity: 'CRITICAL' },
  });
  return result;
}

async function createContent(
  { call }: TestApp,
  { id, accessToken: token }: Pick<TestUser, 'id' | 'accessToken'>,
): Promise<void> {
  const create = async (url: string, body: unknown, as?: string) => {
    const response = await call('POST', url, { body, ...(as ? { token: as } : {}) });
    if (response.status >= 300)
      throw new Error(`POST ${url}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  };
  for (let n = 0; n < 4; n += 1) {
    const data = { name: `Rex ${n}` };
    await create('/api/qrcodes', { kind: 'MEDICAL', title: 'Bracelet', data }, token);
    const code = await create('/api/qrcodes', { kind: 'PET', title: 'Rex', data }, token);
    await create(`/api/qrcodes/${code.id}/lost`, { message: `Call me ${n}` }, token);
    await create('/api/scans/geocoded', { qrCodeId: code.id, latitude: 52.5, longitude: 13.4 + n / 10 });
  }
  await call('PUT', `/api/auth/profile/${id}`, { token, body: { phone: '+4930123456' } });
}

async function listAllCiphertexts({ services: { database } }: TestApp): Promise<StoredCiphertext[]> {
  const ciphertexts: StoredCiphertext[] = [];
  for (const column of ENCRYPTED_COLUMNS) {
    // With an unknown primary key every value counts as stale.
    const { stale } = await findStaleEncryptedValues(database, column, '', 'none');
    for (const { id, ownerId, bytes } of await findEncryptedValues(database, column, stale))
      ciphertexts.push({
        location: { table: column.table, column: column.column, rowId: id, ownerId },
        bytes,
      });
  }
  return ciphertexts;
}

function findVisibleAt({ location, bytes }: StoredCiphertext): VisibleCiphertext[] {
  const urls: Record<string, string> = {
    'qr_codes.data': `/api/qrcodes/${location.rowId}`,
    'qr_codes.lost_details': `/api/qrcodes/${location.rowId}`,
    'scans.position': `/api/scans/${location.rowId}`,
    'users.phone': '/api/auth/me',
  };
  const url = urls[`${location.table}.${location.column}`];
  return url === undefined ? [] : [{ location, bytes, url }];
}

function canDecrypt({ services }: TestApp, { location, bytes }: StoredCiphertext): boolean {
  try {
    services.fieldCipher.decrypt(location, bytes);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'DATA_INTEGRITY') return false;
    throw error;
  }
}

async function storeCiphertext(
  { services }: TestApp,
  { table, column, rowId }: StoredCiphertext['location'],
  bytes: Buffer,
): Promise<void> {
  const known: EncryptedColumnDefinition | undefined = ENCRYPTED_COLUMNS.find(
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
