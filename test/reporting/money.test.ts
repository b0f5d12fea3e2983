import { readFile } from 'node:fs/promises';
import { generateId } from '../../src/shared/ids.ts';
import { addSubscription } from '../features/billing/subscriptions/subscription-helper.ts';
import { startTestApp } from '../helper.ts';
import { t } from '../tap.ts';
import { createReportingClients, queryTextValues } from './helper.ts';

t.test('the reporting role reads subscriptions, invoices and revenue', async (t) => {
  const app = await startTestApp(t);
  const { client } = app.database;
  const { reader } = await createReportingClients(t, app);
  const [ada, eve, free] = [await app.createUser(), await app.createUser(), await app.createUser()];
  const day = (text: string) => new Date(`${text}T12:00:00Z`);
  const family = await addSubscription(app, ada.id, 'FAMILY', { startedAt: day('2026-03-01') });
  await addSubscription(app, ada.id, 'PERSONAL', { startedAt: day('2026-03-01') });
  const endedState = { state: 'CANCELED', startedAt: day('2026-03-01'), endedAt: day('2026-04-02') };
  const endedSubscription = await addSubscription(app, eve.id, 'FAMILY', endedState);
  const never = await addSubscription(app, eve.id, 'FAMILY', endedState);
  await addSubscription(app, eve.id, 'BUSINESS', { state: 'INCOMPLETE' });
  await client.subscription.update({ where: { id: family }, data: { interval: 'year' } });
  const invoice = async (
    userId: string,
    subscriptionId: string | null,
    paid: string | null,
    overrides: { currency?: string; amountPaid?: number; amountRefunded?: number; isDisputed?: boolean } = {},
  ) => {
    const id = generateId();
    const state = paid === null ? 'OPEN' : 'PAID';
    await client.paymentInvoice.create({
      data: {
        ...{
          id,
          accountId: userId,
          subscriptionId,
          provider: 'stripe',
          providerId: `in_${id}`,
          number: `N-${id}`,
          state,
        },
        ...{ currency: 'EUR', total: 600, amountPaid: paid === null ? 0 : 600, ...overrides },
        ...{ issuedAt: day('2026-03-01'), paidAt: paid === null ? null : new Date(paid) },
      },
    });
  };
  await invoice(ada.id, family, '2026-03-31T23:59:59Z');
  await invoice(eve.id, endedSubscription, '2026-03-01T00:00:00Z', { amountRefunded: 100, isDisputed: true });
  await invoice(eve.id, endedSubscription, '2026-04-01T00:00:00Z');
  await invoice(eve.id, never, null);
  await invoice(eve.id, null, '2026-03-05T00:00:00Z', { currency: 'JPY', amountPaid: 900 });

  t.same(await queryTextValues(reader, 'SELECT * FROM reporting.monthly_revenue ORDER BY month, currency'), [
    ['2026-03-01', 'EUR', 'FAMILY', '2', '1200', '100', '1100', '500'],
    ['2026-03-01', 'JPY', null, '1', '900', '0', '900', '0'],
    ['2026-04-01', 'EUR', 'FAMILY', '1', '600', '0', '600', '0'],
  ]);
  t.same(
    await queryTextValues(
      reader,
      'SELECT * FROM reporting.daily_subscription_counts ORDER BY day, package_code, billing_interval',
    ),
    [
      ['2026-03-01', 'FAMILY', 'month', 'EUR', '1', '0', '1'],
      ['2026-03-01', 'FAMILY', 'year', 'EUR', '1', '0', '1'],
      ['2026-03-01', 'PERSONAL', 'month', 'EUR', '1', '0', '1'],
      ['2026-04-02', 'FAMILY', 'month', 'EUR', '0', '1', '0'],
    ],
  );
  const readInvoice = async (id: string) =>
    queryTextValues(
      reader,
      `SELECT package_code, package_version, qr_codes_limit, memory_tags_limit, state, billing_interval, amount_minor
       FROM reporting.subscriptions WHERE account_id = '${id}'`,
    );
  t.same(await readInvoice(ada.id), [['FAMILY', '1', '1000', '100', 'ACTIVE', 'year', '6000']]);
  t.same(await readInvoice(eve.id), [['FREE', null, '50', '5', null, null, null]]);
  t.same(await readInvoice(free.id), await readInvoice(eve.id));
  t.same(
    await queryTextValues(
      reader,
      `SELECT package_code, state, count(*), sum(paid_minor) FROM reporting.invoices GROUP BY 1, 2 ORDER BY 1, 2`,
    ),
    [
      ['FAMILY', 'OPEN', '1', '0'],
      ['FAMILY', 'PAID', '3', '1800'],
      [null, 'PAID', '1', '900'],
    ],
  );
  t.same(
    await queryTextValues(
      reader,
      'SELECT version, on_offer, memory_tags_limit FROM reporting.packages WHERE rank = 1',
    ),
    [['2', 't', '5']],
  );

  const report = await readFile('docs/guides/reports.md', 'utf8');
  const sql = /^## Money$[\s\S]*?```sql\n([\s\S]+?)```/m.exec(report)?.[1] ?? '';
  t.same(await queryTextValues(reader, sql), [['EUR', 'FAMILY', '1', '500']]);
  for (const view of ['invoices', 'monthly_revenue', 'daily_subscription_counts', 'subscriptions'])
    t.notMatch(
      JSON.stringify(await queryTextValues(reader, `SELECT * FROM reporting.${view}`)),
      /in_|sub_|N-|@/,
      view,
    );
});
