import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { BenchedService } from '../service-process.ts';
import { createProcessEnvironment, startWorkers } from '../worker-process.ts';
import type { Buyer, Shop, ShopPrices, WireEvent } from './shop.ts';

const WORKER_COUNT = 2;

/** Compared columns: all except our own ids and change counters. */
const SUBSCRIPTIONS_SQL = `SELECT provider_id AS "providerId", user_id, package_id, package_version, interval, currency, state,
    current_period_start, current_period_end, cancel_at_period_end, trial_ends_at, canceled_at, ended_at, started_at
  FROM subscriptions ORDER BY provider_id`;
const INVOICES_SQL = `SELECT invoice.provider_id AS "providerId", invoice.user_id, subscription.provider_id AS subscription,
    invoice.number, invoice.state, invoice.currency, total, amount_paid, amount_refunded, is_disputed, attempts, needs_action,
    next_attempt_at, period_start, period_end, issued_at, paid_at
  FROM payment_invoices AS invoice LEFT JOIN subscriptions AS subscription ON subscription.id = subscription_id
  ORDER BY invoice.provider_id`;

export interface WebhookPostResult {
  status: number;
  ms: number;
}

export function createPaymentService(
  service: BenchedService,
  shop: Shop,
  environment: Record<string, string>,
) {
  const pool = new pg.Pool({ connectionString: service.ownerUrl, max: 4 });
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const workers = startWorkers(service, environment, WORKER_COUNT);
  const number = async (sql: string, ...values: unknown[]) =>
    Number((await pool.query(`SELECT (${sql})::int AS number`, values)).rows[0].number);

  return {
    service,
    number,
    async command(file: string, ...args: string[]): Promise<{ code: number; text: string }> {
      const child = spawn(process.execPath, [`dist/commands/${file}.js`, ...args], {
        env: createProcessEnvironment(service, environment),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let text = '';
      child.stdout.on('data', (chunk) => {
        text += chunk;
      });
      const [code] = await once(child, 'close');
      return { code, text };
    },
    async listOfferedPackages() {
      const { rows } = await pool.query(
        "SELECT id, code FROM subscription_packages WHERE code IN ('PERSONAL', 'FAMILY')",
      );
      const findPackage = (code: string) =>
        rows.find((row) => row.code === code) as { id: string; code: string };
      return { small: findPackage('PERSONAL'), large: findPackage('FAMILY') };
    },
    async insertBuyers(buyers: readonly Buyer[], prices: ShopPrices): Promise<void> {
      const ids = buyers.map(({ userId }) => userId);
      await pool.query(
        `INSERT INTO users (id, email, status, first_name, last_name, account_type)
         SELECT id, id || '@example.org', 'ACTIVE', 'Ada', 'Buyer', 'INDIVIDUAL' FROM unnest($1::text[]) AS id`,
        [ids],
      );
      await pool.query(
        `INSERT INTO payment_customers (user_id, provider, customer_id)
         SELECT user_id, 'stripe-test', customer_id FROM unnest($1::text[], $2::text[]) AS given (user_id, customer_id)`,
        [ids, buyers.map(({ customerId }) => customerId)],
      );
      const { small, large } = await this.listOfferedPackages();
      for (const [{ id }, price] of [
        [small, prices.small],
        [large, prices.large],
      ] as const)
        await pool.query(
          `INSERT INTO payment_prices (provider, price_id, package_id, version, interval, currency)
           VALUES ('stripe-test', $1, $2, 1, 'month', 'EUR')`,
          [price, id],
        );
    },
    post({ body }: Pick<WireEvent, 'body'>): Promise<WebhookPostResult> {
      const startedAt = performance.now();
      return new Promise((resolve) => {
        const finish = (status: number) => resolve({ status, ms: performance.now() - startedAt });
        const clientRequest = request(
          {
            ...{ host: '127.0.0.1', port: service.port, method: 'POST', path: '/api/webhooks/stripe', agent },
            headers: { 'content-type': 'application/json', 'stripe-signature': shop.sign(body) },
          },
          (response) => response.resume().on('end', () => finish(response.statusCode ?? 0)),
        );
        clientRequest.on('error', () => finish(0));
        clientRequest.end(body);
      });
    },
    /** Kill a worker that is processing an object now, and start another one. */
    async killOne(): Promise<void> {
      for (const deadline = Date.now() + 2_000; Date.now() < deadline; await wait(10))
        if ((await number('SELECT count(*) FROM payment_syncs WHERE leased_until > now()')) > 0) break;
      await workers.replaceOldest();
    },
    /** @throws Error after `timeoutMs` */
    async waitUntilIdle(timeoutMs = 600_000): Promise<void> {
      for (const deadline = Date.now() + timeoutMs; ; await wait(250)) {
        const pending = await number(
          'SELECT count(*) FROM payment_syncs WHERE completed_count < requested_count',
        );
        if (pending === 0) return;
        if (Date.now() > deadline) throw new Error(`${pending} objects are still to be synced.`);
      }
    },
    async waitUntilNotified(): Promise<void> {
      const pendingSql = `SELECT (SELECT count(*) FROM notifications WHERE due_at <= now())
        + (SELECT count(*) FROM pgboss.job WHERE name = 'mail' AND state < 'completed')`;
      for (const deadline = Date.now() + 300_000; Date.now() < deadline; await wait(500))
        if ((await number(pendingSql)) === 0) return;
      throw new Error('Notifications or mails are still pending.');
    },
    async listMails(notifications: string): Promise<string[]> {
      const { rows } = await pool.query(
        `SELECT mail_id FROM notification_deliveries JOIN notifications ON notifications.id = notification_id
         WHERE ${notifications} AND mail_id IS NOT NULL`,
      );
      return rows.map((row) => row.mail_id);
    },
    async rows() {
      const [subscriptions, invoices] = [await pool.query(SUBSCRIPTIONS_SQL), await pool.query(INVOICES_SQL)];
      return new Map(
        [...subscriptions.rows, ...invoices.rows].map((row) => [String(row.providerId), JSON.stringify(row)]),
      );
    },
    async close(): Promise<void> {
      agent.destroy();
      await workers.stop();
      await pool.end();
    },
  };
}

export type PaymentService = ReturnType<typeof createPaymentService>;
