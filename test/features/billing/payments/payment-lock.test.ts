import { setTimeout as wait } from 'node:timers/promises';
import {
  lockPaymentCustomerUser,
  lockUserPayments,
} from '../../../../src/features/billing/payments/payment.repository.ts';
import { t } from '../../../tap.ts';
import { startPayments } from './helper.ts';

const { database, payer } = await startPayments(t);

t.test('a sync waits for a checkout of the same user, and for no other', async (t) => {
  const one = await payer();
  const other = await payer();
  const order: string[] = [];
  const lockCustomer = (customerId: string) =>
    database.transaction(async (tx) => {
      t.ok(await lockPaymentCustomerUser(tx, 'fake', customerId));
      order.push(customerId);
    });
  let waiting: Promise<void> = Promise.resolve();
  await database.transaction(async (tx) => {
    await lockUserPayments(tx, one.userId);
    waiting = lockCustomer(one.customerId);
    await lockCustomer(other.customerId);
    for (const until = Date.now() + 5_000; Date.now() < until; await wait(10)) {
      const [row] = await database.client.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
      if (row?.count === 1) break;
    }
    order.push('checkout');
  });
  await waiting;
  t.same(order, [other.customerId, 'checkout', one.customerId]);
});

t.test('payments of an erased user are not locked for a sync', async (t) => {
  const { userId, customerId } = await payer();
  const lock = () => database.transaction((tx) => lockPaymentCustomerUser(tx, 'fake', customerId));
  t.equal(await lock(), userId);
  await database.client.user.update({ where: { id: userId }, data: { status: 'DELETED' } });
  t.equal(await lock(), null);
});
