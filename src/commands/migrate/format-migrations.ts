import {
  isCompatibleMigration,
  type Migration,
  type MigrationState,
} from '../../platform/migration-history.ts';
import {
  deriveMigrationLocks,
  type LockMode,
  type RelationLock,
} from '../../platform/migration-locks.rules.ts';
import type { TableSize, TableSizes } from '../../platform/table-sizes.repository.ts';

/** What others cannot do meanwhile. */
const WAITING: Record<LockMode, string> = {
  'ACCESS SHARE': 'nothing waits',
  'ROW SHARE': 'nothing waits',
  'ROW EXCLUSIVE': 'other writes of the same rows wait',
  'SHARE UPDATE EXCLUSIVE': 'only other migrations and VACUUM wait',
  SHARE: 'writes wait',
  'SHARE ROW EXCLUSIVE': 'writes wait',
  EXCLUSIVE: 'writes wait',
  'ACCESS EXCLUSIVE': 'reads and writes wait',
};

/** Whether all migrations of this version are applied, unchanged, and no others. */
export function isUpToDate({ pending, unfinished, changed, newer }: MigrationState): boolean {
  return pending.length + changed.length + newer.length === 0 && unfinished === undefined;
}

export function formatMigrationStatus(state: MigrationState): string {
  const { applied, pending, unfinished, changed, newer } = state;
  const lines = [
    ...applied.map((name) => ({ name, label: changed.includes(name) ? 'changed' : 'applied' })),
    ...pending.map(({ name }) => ({ name, label: name === unfinished ? 'unfinished' : 'pending' })),
    ...newer.map(({ name, isCompatible }) => ({
      name,
      label: isCompatible ? 'newer, compatible' : 'newer',
    })),
  ];
  if (unfinished !== undefined && !lines.some(({ name }) => name === unfinished))
    lines.push({ name: unfinished, label: 'unfinished' });
  const width = Math.max(...lines.map(({ label }) => label.length));
  return lines.map(({ name, label }) => `${label.padEnd(width)}  ${name}`).join('\n');
}

/** Format the name, the SQL and the locks of each migration, with the sizes of what is locked. */
export function formatMigrationPlan(pending: readonly Migration[], sizes: TableSizes): string {
  if (pending.length === 0) return 'No migration is pending.';
  return pending.map((migration) => formatMigration(migration, sizes)).join('\n\n');
}

function formatMigration(migration: Migration, sizes: TableSizes): string {
  const { name, sql } = migration;
  const { locks, unknown } = deriveMigrationLocks(sql);
  return [
    `== ${name}`,
    `Compatible with earlier versions: ${isCompatibleMigration(migration) ? 'yes' : 'no'}`,
    '',
    sql.trimEnd(),
    '',
    locks.length === 0
      ? 'Locks on what exists: none.'
      : `Locks on what exists, until the migration is committed:\n${formatLocks(locks, sizes)}`,
    ...unknown.map(({ line, text }) => `Unknown, read it: line ${line}: ${text.split('\n', 1)[0]}`),
  ].join('\n');
}

function formatLocks(locks: readonly RelationLock[], sizes: TableSizes): string {
  const width = Math.max(...locks.map(({ relation }) => relation.length));
  return locks
    .map(({ relation, mode, line }) => {
      const size = formatSize(sizes.get(relation));
      return `  ${relation.padEnd(width)}  ${mode}: ${WAITING[mode]} (line ${line})${size}`;
    })
    .join('\n');
}

function formatSize(size: TableSize | undefined): string {
  if (!size) return '';
  return `, about ${Math.round(size.rows).toLocaleString('en')} rows, ${(size.bytes / 1e6).toFixed(1)} MB`;
}
