import type { Test } from 'tap';
import type { UserRole } from '../../../src/permissions.ts';
import { startTestApp, type TestUser } from '../../helper.ts';
import { signInBrowser } from './signed-in-browser.ts';

/** A service with an owner, whose codes strangers report, and browsers of staff. */
export async function startStaff(t: Test, environment: Record<string, string> = {}) {
  const test = await startTestApp(t, environment);
  const owner = await test.createUser({ email: 'owner@example.org' });
  const signIn = async (role: UserRole) => {
    const user = await test.createUser({ email: `${role.toLowerCase()}@example.org`, role });
    return { user, browser: await signInBrowser(test, user) };
  };
  const createCode = async (body: object): Promise<string> => {
    const created = await test.call('POST', '/api/qrcodes', {
      token: owner.accessToken,
      body: { kind: 'PET', title: 'Rex', data: { name: 'Rex' }, ...body },
    });
    if (created.status !== 201) throw new Error(created.text);
    return created.body.id;
  };
  const report = (id: string, body: object = { category: 'FRAUD' }) =>
    test.call('POST', `/api/qrcodes/${id}/reports`, { body });
  const takeDown = async (id: string, { accessToken }: TestUser) =>
    test.call('POST', `/api/admin/qrcodes/${id}/takedown`, {
      token: accessToken,
      body: { category: 'FRAUD', reason: 'It asks for bank data.' },
    });
  return { ...test, owner, signIn, createCode, report, takeDown };
}

export const HOSTILE = '<img src=x onerror=alert(1)>"\'';
