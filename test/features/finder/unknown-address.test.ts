import { freezeRateWindow } from '../../rate-window.ts';
import { t } from '../../tap.ts';
import { isProblem } from '../identity/accounts/helper.ts';
import { startScans } from '../scans/helper.ts';

/** Of visitors whom a trusted proxy does not tell apart. */
const UNKNOWN = { remoteAddress: '10.0.0.1', headers: { 'x-forwarded-for': 'unknown' } };
const PROXY = { TRUST_PROXY: '10.0.0.1' };
const CARD = { data: { name: 'Rex', owner: { name: 'Ada' } }, pin: '0012' };

t.test('wrong PINs of one visitor lock out no other, and the limits of the code hold', async (t) => {
  const { scan, code, call, owner } = await startScans(t, PROXY);
  const id = await code(CARD);
  const enter = (pin: string) => scan({ qrCodeId: id, pin }, UNKNOWN);
  for (let n = 0; n < 19; n++) t.equal((await enter('9999')).status, 403);
  t.equal((await enter('0012')).status, 201);
  t.equal((await enter('9999')).status, 403);
  t.ok(isProblem(await enter('0012'), 429, 'RATE_LIMITED'), 'twenty an hour');
  const known = { remoteAddress: '10.0.0.1', headers: { 'x-forwarded-for': '203.0.113.7:51234' } };
  t.equal((await scan({ qrCodeId: id, pin: '0012' }, known)).status, 201, 'a visitor with an address');
  const asOwner = await call('POST', '/api/scans', {
    ...UNKNOWN,
    token: owner.accessToken,
    body: { qrCodeId: id, pin: '0012' },
  });
  t.equal(asOwner.status, 201, 'the owner');
});

t.test('more finders than one network has can write, and a block ends one conversation only', async (t) => {
  const { scan, code, call, owner } = await startScans(t, PROXY);
  const qrCodeId = await code();
  const write = async () => {
    const { body } = await scan({ qrCodeId }, UNKNOWN);
    return call('POST', '/api/conversations/public', {
      remoteAddress: UNKNOWN.remoteAddress,
      headers: { ...UNKNOWN.headers, 'x-scan-token': body.scanToken },
      body: { scanId: body.scan.id, message: 'Found him.' },
    });
  };
  const first = await write();
  for (let n = 0; n < 6; n++) t.equal((await write()).status, 201);
  const block = await call('POST', `/api/conversations/${first.body.id}/block`, { token: owner.accessToken });
  t.ok(block.status < 300, block.text);
  t.equal((await write()).status, 201, 'somebody else');
  let written = 8;
  while ((await write()).status === 201) written++;
  t.equal(written, 50, 'ten times the limit of a network');
});

t.test('no limit by address is more than ten times that of one client', async (t) => {
  freezeRateWindow(t);
  const { call } = await startScans(t, { ...PROXY, RATE_LIMIT_SCALE: '1' });
  const countAllowed = async (headers: Record<string, string>) => {
    for (let allowed = 0; ; allowed++) {
      const body = { email: `nobody${allowed}@example.org`, password: 'xxxxxxxxxxxx' };
      const options = { remoteAddress: '10.0.0.1', headers, body };
      if ((await call('POST', '/api/auth/resend-otp', options)).status === 429) return allowed;
    }
  };
  const known = await countAllowed({ 'x-forwarded-for': '203.0.113.7' });
  t.equal(await countAllowed({ 'x-forwarded-for': '203.0.113.7:4711' }), 0, 'the same client');
  t.equal(await countAllowed({ 'x-forwarded-for': 'unknown' }), known * 10);
});

t.test('the allowed networks of an API key are those of clients, not of the proxy', async (t) => {
  const { call, owner } = await startScans(t, PROXY);
  const createKey = async (allowedNetworks: string[]) =>
    (
      await call('POST', '/api/api-keys', {
        token: owner.accessToken,
        body: { name: 'ERP', scopes: ['qr-codes:read'], allowedNetworks },
      })
    ).body.token;
  const read = async (token: string, forwarded: string) =>
    (
      await call('GET', '/api/qrcodes', {
        token,
        remoteAddress: '10.0.0.1',
        headers: { 'x-forwarded-for': forwarded },
      })
    ).status;
  const ofClient = await createKey(['203.0.113.0/24']);
  for (const allowed of ['203.0.113.7', '203.0.113.7:51234', '198.51.100.1, 203.0.113.7:51234'])
    t.equal(await read(ofClient, allowed), 200, allowed);
  for (const refused of ['198.51.100.1', '203.0.113.7, 198.51.100.1', 'unknown', '203.0.113.7, unknown'])
    t.equal(await read(ofClient, refused), 403, refused);
  const ofProxy = await createKey(['10.0.0.0/8']);
  t.equal(await read(ofProxy, '203.0.113.7'), 403);
});
