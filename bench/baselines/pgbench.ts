import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execFileAsync = promisify(execFile);

const DEBIAN_POSTGRES_FOLDER = '/usr/lib/postgresql';

/** The minimum work of a scan in one statement: select the code, insert the scan, update the count of the code. */
export const SCAN_STATEMENT = `
  WITH code AS (
    SELECT id, account_id, kind, title, visibility, data FROM qr_codes WHERE id = $1 AND status = 'ACTIVE'
  ), counted AS (
    INSERT INTO scan_counts AS kept (qr_code_id, total, humans, uniques, last_scanned_at)
    SELECT id, 1, 1, 0, now() FROM code
    ON CONFLICT (qr_code_id) DO UPDATE SET
      total = kept.total + 1, humans = kept.humans + 1, last_scanned_at = excluded.last_scanned_at
  ), made AS (
    INSERT INTO scans (id, qr_code_id, account_id, type, class, class_rule, visitor_hash, ip_truncated, user_agent, scanned_at)
    SELECT $2, id, account_id, 'public', 'HUMAN', 'none', $3, '127.0.0.0', $4, now() FROM code
  )
  SELECT id, account_id, kind, title, visibility, data FROM code`;

export async function findPgbench(): Promise<string | null> {
  const versions = await readdir(DEBIAN_POSTGRES_FOLDER).catch((): string[] => []);
  const newestFirst = versions.sort((one, other) => Number(other) - Number(one));
  for (const program of [
    ...newestFirst.map((version) => join(DEBIAN_POSTGRES_FOLDER, version, 'bin/pgbench')),
    'pgbench',
  ]) {
    const isThere = await execFileAsync(program, ['--version']).then(
      () => true,
      () => false,
    );
    if (isThere) return program;
  }
  return null;
}

export function createPgbenchScript(codes: readonly string[]): string {
  const list = codes.map((code) => `'${code}'`).join(',');
  const values: Record<string, string> = {
    $1: `(ARRAY[${list}])[:number]`,
    $2: `lpad(to_hex(extract(epoch FROM now())::bigint), 8, '0') || right(replace(gen_random_uuid()::text, '-', ''), 16)`,
    $3: `'\\x${'01'.repeat(32)}'::bytea`,
    $4: `'pgbench'`,
  };
  const statement = SCAN_STATEMENT.replace(/\$\d/g, (name) => values[name] ?? name);
  return `\\set number random(1, ${codes.length})\n${statement.replace(/\s+/g, ' ').trim()};\n`;
}

export async function runPgbench(
  program: string,
  databaseUrl: string,
  options: { script: string; folder: string; clients: number; seconds: number },
): Promise<number> {
  const { script, folder, clients, seconds } = options;
  const file = join(folder, 'scan.pgbench');
  await writeFile(file, script);
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const { stdout } = await execFileAsync(
    program,
    [
      ...['--no-vacuum', '--protocol=prepared', `--file=${file}`],
      ...[`--client=${clients}`, '--jobs=2', `--time=${seconds}`],
      ...[
        `--host=${hostname}`,
        `--port=${port}`,
        `--username=${decodeURIComponent(username)}`,
        pathname.slice(1),
      ],
    ],
    { env: { ...process.env, PGPASSWORD: decodeURIComponent(password) } },
  );
  return parseTransactionsPerSecond(stdout);
}

/** @throws Error if pgbench reports failures */
export function parseTransactionsPerSecond(output: string): number {
  const [, rate] = /^tps = ([\d.]+) \((?:without initial connection time|excluding)/m.exec(output) ?? [];
  if (!rate || /number of failed transactions: [1-9]/.test(output)) throw new Error(`pgbench: ${output}`);
  return Number(rate);
}
