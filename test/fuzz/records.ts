import type pg from 'pg';
import { normalizeName, type RecordPlaceholder } from './record-placeholder.ts';

const MAX_REMEMBERED_VALUES = 60;
const MAX_REMEMBERED_RECORDS = 5_000;

interface RecordTable {
  name: string;
  owner: string | null;
}

export class KnownRecords {
  private readonly owner: pg.Pool;
  private tables: RecordTable[] = [];
  /** Ids by table name without underscores, then by owner; the empty name stands for all owners. */
  private ids = new Map<string, Map<string, string[]>>();
  private readonly tokens = new Map<string, string[]>();
  private readonly tokensOf = new Map<string, Map<string, string>>();
  private readonly files = new Map<string, string[]>();

  private constructor(owner: pg.Pool) {
    this.owner = owner;
  }

  static async open(owner: pg.Pool): Promise<KnownRecords> {
    const records = new KnownRecords(owner);
    const { rows } = await owner.query<RecordTable>(`
      SELECT t.table_name AS name, min(o.column_name) AS owner
      FROM information_schema.tables AS t
      JOIN information_schema.columns AS c ON c.table_schema = t.table_schema AND c.table_name = t.table_name
       AND c.column_name = 'id' AND c.data_type = 'text'
      LEFT JOIN information_schema.columns AS o ON o.table_schema = t.table_schema AND o.table_name = t.table_name
       AND o.column_name IN ('account_id', 'user_id')
      WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE' GROUP BY t.table_name`);
    records.tables = rows;
    return records;
  }

  /** Read the ids of all rows, newest first: those of each user, and all. */
  async load(userIds: readonly string[]): Promise<void> {
    const ids = new Map<string, Map<string, string[]>>();
    for (const { name, owner } of this.tables) {
      const newest = await this.owner.query<{ id: string }>(
        `SELECT id FROM ${name} ORDER BY id DESC LIMIT 200`,
      );
      const idsByOwner = new Map([['', newest.rows.map(({ id }) => id)]]);
      if (owner) {
        const { rows } = await this.owner.query<{ user_id: string; ids: string[] }>(
          `SELECT user_id, ARRAY(SELECT id FROM ${name} AS records WHERE records.${owner} = users.user_id ORDER BY id DESC LIMIT 20) AS ids
           FROM unnest($1::text[]) AS users (user_id)`,
          [userIds],
        );
        for (const { user_id: userId, ids: own } of rows) idsByOwner.set(userId, own);
      }
      ids.set(name.replaceAll('_', ''), idsByOwner);
    }
    for (const userId of userIds) ids.get('users')?.set(userId, [userId]);
    ids.set('organizations', await this.loadOrganizations());
    this.ids = ids;
  }

  /** They are rows of `accounts`, and belong to their members. */
  private async loadOrganizations(): Promise<Map<string, string[]>> {
    const { rows } = await this.owner.query<{ user_id: string; account_id: string }>(
      'SELECT user_id, account_id FROM memberships WHERE user_id <> account_id ORDER BY account_id DESC LIMIT 200',
    );
    const idsByOwner = new Map([['', rows.map((row) => row.account_id)]]);
    for (const row of rows)
      idsByOwner.set(row.user_id, [...(idsByOwner.get(row.user_id) ?? []), row.account_id]);
    return idsByOwner;
  }

  /** Get the id of a record, or an absent id. */
  id({ of, ownership, index }: RecordPlaceholder, userId: string | undefined): string {
    const absent = `${'0'.repeat(16)}${String(index).padStart(8, '0')}`;
    const table = this.ids.get(this.tableFor(of));
    if (ownership === 'absent' || !table) return absent;
    const anyId = pickOrDefault(table.get(''), index, absent);
    return ownership === 'any' ? anyId : pickOrDefault(table.get(userId ?? ''), index, anyId);
  }

  token({ of, ownership, index }: RecordPlaceholder, ids: readonly string[]): string {
    const candidates = ids
      .map((id) => this.tokensOf.get(id)?.get(of))
      .find((token) => token !== undefined && ownership === 'own');
    return candidates ?? pickOrDefault(this.tokens.get(of), index, 'A'.repeat(43));
  }

  file({ of, index }: RecordPlaceholder): string {
    return pickOrDefault(this.files.get(of), index, 'nothing.png');
  }

  addFromResponse(body: unknown): void {
    const ids: string[] = [];
    const tokens: [string, string][] = [];
    const visit = (value: unknown, depth: number): void => {
      if (typeof value !== 'object' || value === null || depth > 4) return;
      for (const [key, inner] of Object.entries(value)) {
        if (typeof inner !== 'string') {
          visit(inner, depth + 1);
          continue;
        }
        if (key === 'id') ids.push(inner);
        if (/token$/i.test(key) && key !== 'accessToken') tokens.push([normalizeName(key), inner]);
        const [, folder, file] = /\/uploads\/([a-z-]+)\/([^/?]+)$/.exec(inner) ?? [];
        if (folder && file) rememberValue(this.files, folder, file);
      }
    };
    visit(body, 0);
    for (const [name, token] of tokens) {
      rememberValue(this.tokens, name, token);
      for (const id of ids) this.tokensOf.set(id, (this.tokensOf.get(id) ?? new Map()).set(name, token));
    }
    const [oldest] = this.tokensOf.keys();
    if (oldest !== undefined && this.tokensOf.size > MAX_REMEMBERED_RECORDS) this.tokensOf.delete(oldest);
  }

  /** Find tables that contain U+FFFD, which stands for lost text, with the number of rows. */
  async findLostText(): Promise<string[]> {
    const tables: string[] = [];
    for (const { name } of this.tables) {
      const count = `SELECT count(*)::int AS rows FROM ${name} AS row WHERE position($1 IN row::text) > 0`;
      const { rows } = await this.owner.query(count, ['\ufffd']);
      if (rows[0].rows > 0) tables.push(`${name}: ${rows[0].rows}`);
    }
    return tables;
  }

  async listReferencedFiles(): Promise<Set<string>> {
    const { rows } = await this.owner.query<{ file: string }>(`
      SELECT profile_picture AS file FROM users WHERE profile_picture IS NOT NULL
      UNION SELECT image_file FROM qr_codes WHERE image_file IS NOT NULL`);
    return new Set(rows.map(({ file }) => file));
  }

  async listStoredFiles(): Promise<Set<string>> {
    const { rows } = await this.owner.query<{ name: string }>('SELECT name FROM stored_files');
    return new Set(rows.map(({ name }) => name));
  }

  /** Find the table of a word: `qrCodeId`, `memory-tags`, `profile`, `share` of documents. */
  private tableFor(word: string): string {
    const tableName = normalizeName(word).replace(/s$/, '').replace(/y$/, 'ie');
    const meant = ['profile', 'owner', 'account'].includes(tableName) ? 'user' : tableName;
    const names = [...this.ids.keys()];
    return (
      names.find((name) => name === `${meant}s`) ?? names.find((name) => name.endsWith(`${meant}s`)) ?? ''
    );
  }
}

function pickOrDefault(list: readonly string[] | undefined, nth: number, defaultValue: string): string {
  return (list && list.length > 0 ? list[nth % list.length] : undefined) ?? defaultValue;
}

function rememberValue(lists: Map<string, string[]>, name: string, value: string): void {
  const list = lists.get(name) ?? [];
  list.push(value);
  if (list.length > MAX_REMEMBERED_VALUES) list.shift();
  lists.set(name, list);
}
