import { createFinishErasureJob } from '../../../../src/features/personal-data/finish-erasure.job.ts';
import { createCleanUpJob } from '../../../../src/platform/clean-up.job.ts';
import { PaymentError } from '../../../../src/providers/payments/payments.port.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { t } from '../../../tap.ts';
import { eraseAccountOf, fetchBytes, readExportData, waitForErasures } from '../../personal-data/helper.ts';
import { startShop } from './shop-helper.ts';

t.test('personal data of paying users', async (t) => {
  const shop = await startShop(t);
  const {
    fake,
    buy,
    pageOf: findProviderPageId,
    subscriber,
    createUser,
    database,
    services,
    serviceLog,
  } = shop;
  const { client } = database;
  const listCustomerIds = (accountId: string) => client.paymentCustomer.count({ where: { accountId } });
  const isDeletedAt = (userId: string) =>
    [...fake.customers.values()].find((one) => one.userId === userId)?.isDeleted;

  await t.test('an archive contains purchases and payments', async (t) => {
    const { id: userId, token, subscriptionId } = await subscriber();
    await client.paymentInvoice.create({
      data: {
        id: generateId(),
        accountId: userId,
        subscriptionId,
        provider: 'fake',
        providerId: 'in_1',
        number: 'A-1',
        state: 'PAID',
        currency: 'EUR',
        total: 300n,
        amountPaid: 300n,
        issuedAt: new Date(),
      },
    });
    const { bytes } = await fetchBytes(shop, '/api/auth/export', token);
    const data = await readExportData(bytes);
    t.match(data.subscriptions, [
      { id: subscriptionId, package: 'PERSONAL', price: 300, currency: 'EUR', status: 'ACTIVE' },
    ]);
    t.match(data.invoices, [{ subscriptionId, number: 'A-1', total: 300, status: 'PAID' }]);
    t.notMatch(JSON.stringify([data.subscriptions, data.invoices]), /cus_|sub_|in_1/);
  });

  await t.test('an erasure cancels subscriptions and deletes the customer', async (t) => {
    const one = await subscriber();
    await eraseAccountOf(shop, one);
    await waitForErasures(shop);
    t.equal(fake.subscriptions.get(one.providerId)?.state, 'CANCELED');
    t.equal(isDeletedAt(one.id), true);
    t.equal(await listCustomerIds(one.id), 0);
    t.equal(await client.checkoutSession.count({ where: { accountId: one.id } }), 0);
    const row = await client.subscription.findUniqueOrThrow({ where: { id: one.subscriptionId } });
    t.match(row, { state: 'CANCELED', endedAt: Date });
  });

  await t.test('also former customers, whichever response is lost', async (t) => {
    const one = await subscriber();
    const before = await fake.provider.createCustomer(
      { userId: one.id, email: '', language: 'en' },
      'before',
    );
    await client.paymentCustomer.create({
      data: { accountId: one.id, provider: 'fake', customerId: before, deletedAt: new Date() },
    });
    const { deleteCustomer } = fake.provider;
    let calls = 0;
    fake.provider.deleteCustomer = async (id) => {
      calls += 1;
      if (calls === 2) throw new PaymentError('UNAVAILABLE', 'AWAY');
      await deleteCustomer(id);
    };
    await eraseAccountOf(shop, one);
    const { id } = await client.erasure.findFirstOrThrow({ where: { userId: one.id } });
    for (let attempt = 0; attempt < 3; attempt += 1)
      await createFinishErasureJob(services)({ erasureId: id }).catch(() => {});
    fake.provider.deleteCustomer = deleteCustomer;
    await waitForErasures(shop);
    const theirs = [...fake.customers.values()].filter((customer) => customer.userId === one.id);
    t.same(
      theirs.map(({ isDeleted }) => isDeleted),
      [true, true],
    );
    t.equal(await listCustomerIds(one.id), 0);
  });

  await t.test('also an unpaid checkout', async (t) => {
    const buyer = await createUser();
    const { body: page } = await buy(buyer.accessToken);
    const pageId = await findProviderPageId(page.id);
    await eraseAccountOf(shop, buyer);
    await waitForErasures(shop);
    t.equal(fake.pages.get(pageId)?.state, 'EXPIRED');
    t.equal(isDeletedAt(buyer.id), true);
  });

  await t.test('retries while the provider is unavailable and erases everything else', async (t) => {
    const one = await subscriber();
    fake.state.isUnavailable = true;
    await eraseAccountOf(shop, one);
    const { id } = await client.erasure.findFirstOrThrow({ where: { userId: one.id } });
    const finish = () => createFinishErasureJob(services)({ erasureId: id });
    await t.rejects(finish(), /UNAVAILABLE/);
    await t.rejects(finish(), /UNAVAILABLE/);
    t.equal(await listCustomerIds(one.id), 1);
    t.equal(await client.session.count({ where: { userId: one.id } }), 0);
    fake.state.isUnavailable = false;
    fake.loseResponseOf('deleteCustomer');
    // The service's own job may lose this response.
    await finish().catch(() => {});
    await finish();
    t.ok((await client.erasure.findUniqueOrThrow({ where: { id } })).finishedAt);
    t.equal(fake.subscriptions.get(one.providerId)?.state, 'CANCELED');
    t.equal(await listCustomerIds(one.id), 0);
  });

  await t.test('logs customers of a provider that is not configured', async (t) => {
    const one = await subscriber();
    await client.paymentCustomer.updateMany({ where: { accountId: one.id }, data: { provider: 'former' } });
    await eraseAccountOf(shop, one);
    await waitForErasures(shop);
    t.match(serviceLog.join('\n'), /a customer at a provider that is not configured/);
    t.equal(await listCustomerIds(one.id), 0);
    t.equal(fake.subscriptions.get(one.providerId)?.state, 'ACTIVE');
  });

  await t.test('a concurrent purchase leaves no customer behind', async (t) => {
    const buyer = await createUser();
    const { createCustomer } = fake.provider;
    fake.provider.createCustomer = async (...params) => {
      const made = await createCustomer(...params);
      await eraseAccountOf(shop, buyer);
      return made;
    };
    t.equal((await buy(buyer.accessToken)).status, 401);
    fake.provider.createCustomer = createCustomer;
    await waitForErasures(shop);
    t.equal(isDeletedAt(buyer.id), true);
    t.equal(await client.checkoutSession.count({ where: { accountId: buyer.id } }), 0);
  });

  await t.test('deletes checkouts a month after they ended', async (t) => {
    const { accessToken: token } = await createUser();
    const { body: page } = await buy(token);
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
    const cleanUp = createCleanUpJob(services);
    await cleanUp({});
    const row = () => client.checkoutSession.findUnique({ where: { id: page.id } });
    t.match(await row(), { state: 'OPEN' });
    await client.checkoutSession.update({
      where: { id: page.id },
      data: { createdAt: ago(32), expiresAt: ago(31) },
    });
    await cleanUp({});
    t.equal(await row(), null);
  });
});
