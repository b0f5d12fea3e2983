import type { Test } from 'tap';
import { startScans } from '../scans/helper.ts';

export const TAKEDOWN = { category: 'FRAUD', reason: 'It asks for bank data.' };

/** Start a service with two administrators, and helpers to take codes down. */
export async function startModeration(t: Test, environment: Record<string, string> = {}) {
  const test = await startScans(t, environment);
  const { call, createUser, owner } = test;
  const [root, second] = [
    await createUser({ email: 'root@example.org', role: 'ADMIN' }),
    await createUser({ email: 'second@example.org', role: 'ADMIN' }),
  ];
  const as = {
    owner: { token: owner.accessToken },
    root: { token: root.accessToken },
    second: { token: second.accessToken },
  };
  const takeDown = (id: string, body: object = TAKEDOWN, by = as.root) =>
    call('POST', `/api/admin/qrcodes/${id}/takedown`, { ...by, body });
  const reinstate = (id: string, body: object = {}, by = as.root) =>
    call('POST', `/api/admin/qrcodes/${id}/reinstate`, { ...by, body });
  const appeal = (id: string, message = 'It was a mistake.', by = as.owner) =>
    call('POST', `/api/qrcodes/${id}/appeals`, { ...by, body: { message } });
  const decide = (id: string, body: object, by = as.root) =>
    call('POST', `/api/admin/qrcode-appeals/${id}/decision`, { ...by, body });
  const readTakedown = (id: string) => call('GET', `/api/qrcodes/${id}/takedown`, as.owner);
  return { ...test, root, second, as, takeDown, reinstate, appeal, decide, readTakedown };
}
