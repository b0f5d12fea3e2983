import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { listenOnFreePort, parseJsonResponse, parseStatus, sendRaw } from './helper.ts';

const ID = '0123456789abcdef01234567';

/** Paths of the API, also of planned features. */
const PATHS = `/ /api/health/live /api/health/ready /api/docs /api/docs/json /api/realtime /api/audit/mine
/api/auth/register /api/auth/verify-otp /api/auth/create-profile /api/auth/login /api/auth/logout
/api/auth/forgot-password /api/auth/reset-password /api/auth/profile/${ID} /api/auth/google
/api/auth/google/callback?iss=a&code=b&scope=c /api/auth/google/exchange /api/auth/google/token
/api/auth/mfa/verify /api/auth/mfa/enroll /api/auth/mfa/confirm /api/auth/export /api/auth/account
/api/qrcodes /api/qrcodes?page=1&limit=10&search= /api/qrcodes/${ID} /api/qrcodes/${ID}/stats
/api/scans /api/scans/public /api/scans/public/${ID} /api/scans/public/${ID}/location
/api/scans/geocoded?type=guest /api/scans/${ID} /api/scans/stats /api/scans/export /api/scans/report
/api/conversations /api/conversations/public /api/conversations/public/${ID}/messages
/api/subscription/all /api/subscription/checkout-session /api/subscription/status
/api/subscription/cancel/${ID} /api/subscription/portal-session /api/dashboard/cards
/api/notifications?is_read=undefined /api/notifications/preferences /api/notifications/devices/${ID}
/api/memory-tags /api/memory-tags/${ID} /api/documents /api/documents/${ID}/shares/${ID}
/api/documents/shared/token/open /api/admin/users /api/admin/qrcodes /api/admin/analytics
/api/admin/audit-logs/export /api/admin/break-glass /api/support/users /api/webhooks/stripe
/s/${ID} /s/${ID}/pin /s/${ID}/message /s/${ID}/location
/uploads/profile-pictures/a.png /uploads/qrcodes/a.png`.split(/\s+/);

t.test('the application responds over a socket', async (t) => {
  const { app, log } = await startTestApp(t);
  const port = await listenOnFreePort(app);
  const ask = (line: string, headers = '') =>
    sendRaw(port, `${line} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`);

  await t.test('OPTIONS is 204 and empty on every path of the API', async (t) => {
    for (const path of PATHS) {
      for (const headers of ['', 'Origin: https://a.example\r\nAccess-Control-Request-Method: PUT\r\n']) {
        const answer = await ask(`OPTIONS ${path}`, headers);
        t.equal(parseStatus(answer), 204, path);
        t.match(answer, /\r\n\r\n$/, 'empty');
      }
    }
    for (const path of ['/favicon.ico', '/robots.txt', '/nowhere']) {
      t.equal(parseStatus(await ask(`OPTIONS ${path}`)), 404, path);
    }
  });

  await t.test('other methods on an unknown path below the prefixes are 404', async (t) => {
    for (const line of ['GET /api/nowhere', 'POST /api/webhooks', 'DELETE /uploads/x', 'GET /s/x/y']) {
      t.equal(parseStatus(await ask(line)), 404, line);
    }
  });

  await t.test('two Host headers are 400, an unknown expectation is 417, as problem documents', async (t) => {
    t.match(parseJsonResponse(await ask('GET /api/health/live', 'Host: y\r\n')), {
      status: 400,
      errors: [{ field: 'host' }],
    });
    t.match(parseJsonResponse(await ask('GET /api/health/live', 'Expect: x\r\n')), {
      code: 'EXPECTATION_FAILED',
    });
    t.equal(parseStatus(await ask('GET *')), 400);
  });

  await t.test('a secret in an unknown path or a query is not in the log', async (t) => {
    log.length = 0;
    for (const path of [
      '/api/hunter2',
      '/hunter2/a',
      '/api/qrcodes/hunter2',
      '/s/hunter2',
      '/?pin=hunter2',
    ]) {
      await ask(`GET ${path}`);
    }
    const lines = log.filter((line) => line.includes('request completed'));
    t.equal(lines.length, 5);
    t.notMatch(log.join(''), 'hunter2');
  });
});
