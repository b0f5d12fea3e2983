import pg from 'pg';
import { type FuzzServiceAccess, FuzzUsers } from './fuzz-users.ts';
import type { RecordPlaceholder } from './record-placeholder.ts';
import { KnownRecords } from './records.ts';
import type { Actor } from './request-plan.ts';

export class FuzzWorld {
  readonly host: string;
  readonly users: FuzzUsers;
  readonly records: KnownRecords;
  private readonly owner: pg.Pool;

  private constructor(host: string, owner: pg.Pool, users: FuzzUsers, records: KnownRecords) {
    this.host = host;
    this.owner = owner;
    this.users = users;
    this.records = records;
  }

  static async open({ host, ...access }: FuzzServiceAccess & { host: string }): Promise<FuzzWorld> {
    const owner = new pg.Pool({ connectionString: access.ownerUrl, max: 2 });
    owner.on('error', () => {});
    // Unlimited packages: an exhausted quota would hide later checks.
    await owner.query(
      `UPDATE subscription_packages SET limits = limits || '{"qrCodes": null, "documents": null, "members": null, "storageBytes": null}'`,
    );
    return new FuzzWorld(host, owner, await FuzzUsers.make(access, owner), await KnownRecords.open(owner));
  }

  async close(): Promise<void> {
    await this.users.close();
    await this.owner.end();
  }

  /**
   * Create purchases: an ended one of the owner and an active one of the stranger, each with an invoice and an expired
   * checkout.
   */
  async addPurchases(): Promise<void> {
    const [owner, stranger] = [this.users.find('owner')?.id, this.users.find('stranger')?.id];
    const columns = `'stripe' AS provider, package.id AS package_id, 1 AS version, 'month' AS "interval", 'EUR' AS currency,
        person.id AS user_id, person.is_running, substr(md5(random()::text), 1, 24) AS id
      FROM subscription_packages AS package, (VALUES ($1, false), ($2, true)) AS person (id, is_running)
      WHERE package.code = 'FAMILY' AND EXISTS (SELECT FROM users WHERE users.id = person.id AND status <> 'DELETED')`;
    for (const sql of [
      `INSERT INTO subscriptions (id, account_id, provider, provider_id, package_id, package_version, "interval", currency,
         state, started_at, ended_at)
       SELECT id, user_id, provider, id, package_id, version, "interval", currency,
         CASE WHEN is_running THEN 'ACTIVE' ELSE 'CANCELED' END, now(), CASE WHEN NOT is_running THEN now() END`,
      `INSERT INTO checkout_sessions (id, account_id, provider, package_id, package_version, "interval", currency, state, expires_at)
       SELECT id, user_id, provider, package_id, version, "interval", currency, 'EXPIRED', now()`,
      `INSERT INTO payment_invoices (id, account_id, provider, provider_id, state, currency, total, amount_paid, issued_at)
       SELECT id, user_id, provider, id, 'PAID', currency, 600, 600, now()`,
    ])
      await this.owner.query(`${sql} FROM (SELECT ${columns}) AS bought`, [owner, stranger]);
  }

  getToken(name: Actor | 'bystander'): string | undefined {
    return this.users.find(name)?.token;
  }

  async resetAll(): Promise<void> {
    await this.users.resetAll();
    await this.records.load(this.users.ids());
  }

  /** Resolve a placeholder. `ids` are record ids in the same request. */
  find(pick: RecordPlaceholder, as: Actor, ids: readonly string[]): string {
    const { $pick, of, ownership, index } = pick;
    const user = this.users.find(as === 'anonymous' ? 'owner' : as);
    switch ($pick) {
      case 'id':
        return this.records.id(pick, user?.id);
      case 'token':
        if (of === 'refreshtoken' && ownership === 'own' && index % 2 === 0 && user) return user.refreshToken;
        return ownership === 'absent' ? 'A'.repeat(43) : this.records.token(pick, ids);
      case 'email': {
        if (ownership === 'absent' || !user) return `nobody-${index}@example.org`;
        const all = this.users.emails();
        return ownership === 'own' ? user.email : (all[index % all.length] ?? user.email);
      }
      case 'file':
        return this.records.file(pick);
    }
  }
}
