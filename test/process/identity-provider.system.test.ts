import { randomBytes } from 'node:crypto';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { cloneDatabase } from '../helper.ts';
import { createScratchFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { startService } from './service-process.ts';

const key = () => randomBytes(32).toString('base64');

t.test(
  'emulates an identity provider in development, and has neither it nor billing in production',
  async (t) => {
    const start = async (more: Record<string, string>) => {
      const database = await cloneDatabase(t);
      t.teardown(() => database.drop());
      const environment = { DATABASE_URL: database.application, DATABASE_OWNER_URL: database.owner };
      const dataDir = await createScratchFolder(t);
      const service = startService(t, {
        dataDir,
        port: await findFreePort(),
        environment: { ...environment, ...more },
      });
      await service.ready();
      return service;
    };

    const laptop = await start({});
    const begun: { authorizationUrl: string } = JSON.parse(
      await (await fetch(`${laptop.base}/api/auth/google`)).text(),
    );
    t.match(begun, { configured: false, authorizationUrl: /^http:\/\/127\.0\.0\.1:\d+\/auth\?/ });
    t.match(laptop.output(), /not configured, http:\/\/127\.0\.0\.1:\d+ emulates one/);
    const emulator = new URL(begun.authorizationUrl).origin;
    t.equal(await laptop.end('SIGTERM'), 0);
    await t.rejects(fetch(emulator), 'it ends with the service');

    const production = await start({
      NODE_ENV: 'production',
      PUBLIC_BASE_URL: 'https://qr.example.org',
      JWT_SECRET: key(),
      HASH_SECRET: key(),
      AUDIT_SIGNING_KEY: key(),
      PASSWORD_PEPPERS: `p1:${key()}`,
      ENCRYPTION_KEYS: `k1:${key()}`,
      BCRYPT_COST: '10',
      SMTP_URL: 'none',
      BILLING: 'off',
      RATE_LIMIT_SCALE: '1',
    });
    const answer = await fetch(`${production.base}/api/auth/google`);
    t.same(await answer.json(), { configured: false, authorizationUrl: null });
    const callback = await fetch(`${production.base}/api/auth/google/callback?code=x`, {
      redirect: 'manual',
    });
    t.equal(callback.status, 302);
    t.equal(callback.headers.get('location'), 'https://qr.example.org/api/auth/sign-in#error=not_configured');
    t.notMatch(production.output(), /emulates one/);
    t.match(production.output(), /BILLING is off: all features/);
    t.equal(await production.end('SIGTERM'), 0);
  },
);
