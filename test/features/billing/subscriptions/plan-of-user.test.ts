import { isStateWithPackage, SUBSCRIPTION_STATES } from '../../../../src/shared/subscription-state.ts';
import { startTestApp } from '../../../helper.ts';
import { createReportingClients } from '../../../reporting/helper.ts';
import { t } from '../../../tap.ts';
import {
  addSubscription,
  cancelTestSubscription,
  insertCodes,
  setPackageLimit,
} from './subscription-helper.ts';

t.test('plan of a user', async (t) => {
  const app = await startTestApp(t);
  const { call, createUser, database } = app;
  const { id, accessToken: token } = await createUser();
  const plan = async () => {
    const { body } = await call('GET', '/api/auth/me', { token });
    return { code: body.package.code, qrCodes: body.limits.qrCodes };
  };
  const FREE = { code: 'FREE', qrCodes: 50 };

  await t.test('is that of an active subscription', async (t) => {
    t.same(await plan(), FREE);
    const subscription = await addSubscription(app, id, 'PERSONAL', { state: 'INCOMPLETE' });
    const { owner } = await createReportingClients(t, app);
    const withPackage: string[] = [];
    for (const state of SUBSCRIPTION_STATES) {
      const endedAt = state === 'CANCELED' ? new Date() : null;
      await database.client.subscription.update({ where: { id: subscription }, data: { state, endedAt } });
      const { code } = await plan();
      if (code === 'PERSONAL') withPackage.push(state);
      t.equal(isStateWithPackage(state), code === 'PERSONAL', `${state} in TypeScript`);
      const { rows } = await owner.query(
        'SELECT package_code FROM reporting.subscriptions WHERE account_id = $1',
        [id],
      );
      t.same(rows, [{ package_code: code }], `${state} in the view for reports`);
    }
    t.same(withPackage, ['TRIALING', 'ACTIVE', 'PAST_DUE']);
    t.same(await plan(), FREE);
  });

  await t.test('is the best of several, everywhere the same', async (t) => {
    const old = new Date('2026-01-01');
    const rows = [
      await addSubscription(app, id, 'FAMILY', { startedAt: old }),
      await addSubscription(app, id, 'PERSONAL'),
      await addSubscription(app, id, 'BUSINESS', { state: 'UNPAID' }),
      await addSubscription(app, (await createUser()).id, 'ENTERPRISE'),
    ];
    t.same(await plan(), { code: 'FAMILY', qrCodes: 1000 });
    const status = await call('GET', '/api/subscription/status', { token });
    t.match(status.body, { package: { code: 'FAMILY', name: 'Family' }, limits: { qrCodes: 1000 } });
    for (const row of rows) await cancelTestSubscription(app, row);
  });

  await t.test('has the limits of the purchased version', async (t) => {
    const subscription = await addSubscription(app, id, 'PERSONAL');
    await setPackageLimit(app, 'PERSONAL', { qrCodes: 1 });
    t.same(await plan(), { code: 'PERSONAL', qrCodes: 250 });
    await cancelTestSubscription(app, subscription);
  });

  await t.test('costs depend only on rows of the user', async (t) => {
    const cost = async () => {
      const { rows } = await database.pool.query(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement?.text}`,
        statement?.values,
      );
      const { Plan: plan } = rows[0]['QUERY PLAN'][0];
      return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    };
    const statements: { text: string; values: unknown[] }[] = [];
    const spied = Object.create(database.client, {
      $queryRawUnsafe: {
        value: (text: string, ...values: unknown[]) => {
          statements.push({ text, values });
          return [{ id: 'x', code: 'FREE', names: {}, limits: {}, qrCodes: 0, memoryTags: 0 }];
        },
      },
    });
    await app.services.getPlan(spied, id);
    const [statement] = statements;
    t.equal(statements.length, 1, 'one statement');
    await addSubscription(app, id, 'FAMILY');
    await cost();
    const before = await cost();
    const other = await createUser();
    await insertCodes(app, other.id, 20_000);
    await database.pool.query(
      `INSERT INTO subscriptions (id, account_id, provider, provider_id, package_id, package_version, "interval", currency, state, started_at)
       SELECT substr(md5('s' || n), 1, 24), $1, 'stripe', 'sub_' || n, package_id, package_version, "interval", currency, 'ACTIVE', started_at
       FROM subscriptions, generate_series(1, 3000) AS n WHERE account_id = $2 AND state = 'ACTIVE'`,
      [other.id, id],
    );
    const after = await cost();
    t.ok(before > 0 && after <= before + 10, `${before} blocks, then ${after}`);
  });
});
