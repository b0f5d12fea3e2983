import { join } from 'node:path';
import pg from 'pg';
import type { BenchedService } from '../../bench/service-process.ts';
import { waitForOtp } from '../../src/commands/demo-mailbox.ts';

const EMAIL = 'ada@example.org';

/** Somebody with codes in a running service. */
export interface ScreenshotOwner {
  /** The address of the service. */
  base: string;
  /** A request of theirs. Throws for an answer of 400 and more. */
  call(method: string, path: string, body?: object): Promise<ApiResponse>;
  /** Makes a code; answers its id. */
  code(body?: object): Promise<string>;
  /** Lets a code end at this moment. */
  expire(id: string): Promise<void>;
}

interface ApiResponse {
  [member: string]: unknown;
}

/** Registers somebody, with a profile. */
export async function createOwner(service: BenchedService): Promise<ScreenshotOwner> {
  const base = `http://localhost:${service.port}`;
  let token = '';
  const call = async (method: string, path: string, body?: object): Promise<ApiResponse> => {
    const answer = await fetch(base + path, {
      method,
      headers: {
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as ApiResponse);
  };
  await call('POST', '/api/auth/register', { email: EMAIL, password: 'a lighthouse for lost dogs' });
  const otp = await waitForOtp(join(service.folder, 'mailbox'), EMAIL);
  token = String((await call('POST', '/api/auth/verify-otp', { email: EMAIL, otp })).accessToken);
  const profile = { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL' };
  await call('POST', '/api/auth/create-profile', profile);

  const dog = { name: 'Rex', species: 'Dog', notes: 'Friendly, but afraid of thunder.' };
  const code = async (body: object = {}) =>
    String((await call('POST', '/api/qrcodes', { kind: 'PET', title: 'Rex', data: dog, ...body })).id);
  // A code that is made cannot have ended already.
  const expire = async (id: string) => {
    const client = new pg.Client({ connectionString: service.applicationUrl });
    await client.connect();
    await client.query('UPDATE qr_codes SET expires_at = now() WHERE id = $1', [id]);
    await client.end();
  };
  return { base, call, code, expire };
}
