import type { Test } from 'tap';
import type { TestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { isProblem } from '../identity/accounts/helper.ts';
import { startWebhooks, waitUntil } from './helper.ts';
import { type ReceivedEvent, startPublicReceiver } from './public-receiver.ts';

async function startWithPublicNames(t: Test) {
  const test = await startWebhooks(t);
  test.services.webhookSender.resolveAddresses = async () => [{ address: '127.0.0.1', family: 4 }];
  const token = test.owner.accessToken;
  const at = (id: string) => `/api/webhook-endpoints/${id}`;
  const read = async (id: string) => (await test.call('GET', at(id), { token })).body;
  const send = (method: string, path: string, body?: object) => test.call(method, path, { token, body });
  const readDelivery = async (id: string) =>
    (await test.call('GET', `${at(id)}/deliveries`, { token })).body.data[0];
  const hasEnded = async (id: string) => (await readDelivery(id))?.status !== 'PENDING';
  const hasFailed = async (id: string) => {
    const delivery = await readDelivery(id);
    return delivery?.status === 'FAILED' ? delivery.attempts[0].error : null;
  };
  return { ...test, at, read, send, hasEnded, hasFailed };
}

const countDeliveries = ({ database }: TestApp) => database.client.webhookDelivery.count();

t.test('an address that returns the challenge gets events, by text or by JSON', async (t) => {
  const test = await startWithPublicNames(t);
  for (const format of [
    (challenge: string) => challenge,
    (challenge: string) => `${challenge}\n`,
    (challenge: string) => JSON.stringify({ challenge }),
    (challenge: string) => JSON.stringify(challenge),
  ]) {
    const { received, createUrl } = await startPublicReceiver(t, ({ data }) => format(data.challenge ?? ''));
    const created = await test.createEndpoint(createUrl(), ['code.created']);
    t.match(created, { enabled: true, verified: false, disabledReason: null });
    await waitUntil(async () => (await test.read(created.id)).verified);
    t.match(received, [{ type: 'webhook_endpoint.verification', data: { id: created.id } }]);
    await test.createCode();
    await waitUntil(() => received.length === 2);
    t.equal(received[1]?.type, 'code.created');
    t.notOk('challenge' in (received[1]?.data ?? {}));
    await test.send('DELETE', test.at(created.id));
  }
});

t.test('an address that does not return it gets one challenge and nothing more', async (t) => {
  const test = await startWithPublicNames(t);
  const answers: [string, (event: ReceivedEvent, raw: string) => string][] = [
    ['nothing', () => ''],
    ['an echo of the request', (_event, raw) => raw],
    ['with text around it', ({ data }) => `ok ${data.challenge}`],
    ['too much', ({ data }) => `${data.challenge}${' '.repeat(100_000)}`],
    ['null', () => 'null'],
  ];
  for (const [what, respond] of answers) {
    const { received, createUrl } = await startPublicReceiver(t, respond);
    const { id } = await test.createEndpoint(createUrl());
    await waitUntil(async () => await test.hasEnded(id));
    t.ok(await test.hasFailed(id), what);
    const stored = await countDeliveries(test);
    await test.createCode();
    t.equal(await countDeliveries(test), stored, `${what}: no event is stored for it`);
    t.equal((await test.read(id)).verified, false, what);
    const replay = { from: '2026-01-01', includeDelivered: true };
    t.ok(
      isProblem(await test.send('POST', `${test.at(id)}/replay`, replay), 409, 'WEBHOOK_ENDPOINT_UNVERIFIED'),
    );
    t.equal(received.length, 1, what);
    await test.send('DELETE', test.at(id));
  }
});

t.test('the owner enters the challenge, which is asked again for another address', async (t) => {
  const test = await startWithPublicNames(t);
  let isAnswering = false;
  const { received, createUrl } = await startPublicReceiver(t, ({ data }) =>
    isAnswering ? String(data.challenge) : 'ok',
  );
  const { id } = await test.createEndpoint(createUrl());
  await waitUntil(async () => (await test.hasFailed(id)) === 'CHALLENGE_NOT_RETURNED');
  const listed = await test.send('GET', `${test.at(id)}/deliveries`);
  const challenge = received[0]?.data.challenge ?? '';
  t.equal(challenge.length, 43);
  t.notOk(listed.text.includes(challenge), 'the API does not tell it');
  const verify = (value: string) => test.send('POST', `${test.at(id)}/verify`, { challenge: value });
  t.ok(isProblem(await verify(`${challenge.slice(1)}x`), 400, 'WEBHOOK_CHALLENGE_INCORRECT'));
  t.match(await verify(challenge), { status: 200, body: { verified: true } });

  const moved = await test.send('PATCH', test.at(id), {
    url: createUrl('other.example.com'),
    enabled: false,
  });
  t.match(moved.body, { verified: false, enabled: false });
  t.ok(isProblem(await verify(challenge), 400, 'WEBHOOK_CHALLENGE_INCORRECT'), 'that of the first address');
  t.match((await test.send('PATCH', test.at(id), { enabled: true })).body, {
    verified: false,
    enabled: true,
  });
  isAnswering = true;
  t.equal((await test.send('POST', `${test.at(id)}/test`)).status, 202, 'sends the challenge again');
  await waitUntil(async () => (await test.read(id)).verified);
  const same = await test.send('PATCH', test.at(id), { url: createUrl('other.example.com') });
  t.equal(same.body.verified, true, 'the same address');
});

t.test('challenges of an account are limited, and existing endpoints count as verified', async (t) => {
  const test = await startWithPublicNames(t);
  const { received, createUrl } = await startPublicReceiver(t, () => 'no');
  const { id } = await test.createEndpoint(createUrl());
  await test.database.client.$executeRaw`
    UPDATE attempt_budgets SET used = 30 WHERE key LIKE 'webhook-challenges:%'`;
  t.equal((await test.send('POST', `${test.at(id)}/test`)).status, 429);
  t.equal((await test.send('PATCH', test.at(id), { url: createUrl('b.example.com') })).status, 429);
  t.equal((await test.read(id)).url, createUrl(), 'the address stays');
  const body = { url: createUrl('c.example.com'), eventTypes: ['*'] };
  t.equal((await test.send('POST', '/api/webhook-endpoints', body)).status, 429);
  await waitUntil(() => received.length === 1);

  const columns = await test.database.client.$queryRaw<{ column_default: string }[]>`
    SELECT column_default FROM information_schema.columns
    WHERE table_name = 'webhook_endpoints' AND column_name = 'is_verified'`;
  t.equal(columns[0]?.column_default, 'true');
});

t.test('requests to a registrable domain are limited over all accounts, and then wait', async (t) => {
  const test = await startWithPublicNames(t);
  const { received, createUrl } = await startPublicReceiver(t, ({ data }) => data.challenge ?? '');
  const other = await test.createUser();
  const one = await test.createEndpoint(createUrl('a.example.co.uk'), ['code.created']);
  const two = await test.createEndpoint(createUrl('b.example.co.uk'), ['code.created'], other);
  const far = await test.createEndpoint(createUrl('b.other.co.uk'), ['code.created'], other);
  const areVerified = async () =>
    (await test.database.client.webhookEndpoint.count({ where: { isVerified: true } })) === 3;
  await waitUntil(areVerified);
  const budgets = await test.database.client.$queryRaw<{ key: string }[]>`
    SELECT key FROM attempt_budgets WHERE key LIKE 'webhook-destination:hour:%' AND used = 2`;
  t.equal(budgets.length, 1, 'subdomains count as one, other domains of a public suffix do not');
  const [{ key } = { key: '' }] = budgets;
  await test.database.client.$executeRaw`UPDATE attempt_budgets SET used = 5000 WHERE key = ${key}`;
  const before = received.length;
  await test.createCode();
  await test.createCode(other);
  await waitUntil(() => received.length === before + 1);
  t.equal(received.at(-1)?.type, 'code.created');
  const paused = () =>
    test.database.client.webhookEndpoint.findMany({
      where: { pausedUntil: { gt: new Date() } },
      select: { id: true },
      orderBy: { id: 'asc' },
    });
  await waitUntil(async () => (await paused()).length === 2);
  t.same(
    (await paused()).map(({ id }) => id),
    [one.id, two.id].sort(),
  );
  t.notOk((await paused()).some(({ id }) => id === far.id));
  await test.database.client.$executeRaw`UPDATE attempt_budgets SET used = 0 WHERE key = ${key}`;
  await test.database.client.$executeRaw`UPDATE webhook_endpoints SET paused_until = NULL`;
  test.services.webhookDispatcher.wake();
  await waitUntil(() => received.length === before + 3);
});
