import { readCommandArguments } from '../shared/command-usage.ts';

const [option] = readCommandArguments(
  `Usage:
  npm run migrate                 applies pending migrations, as the start does, and ends
  npm run migrate -- --dry-run    prints the SQL of each pending migration and the locks that it takes; changes nothing
  npm run migrate -- --status     lists applied, pending and changed migrations, and those of a newer version; changes
                                  nothing
Exit codes: 0 success, 1 with --status: not all migrations are applied or the database has others, 64 invalid
arguments, 70 a migration failed, 75 the database is unavailable, 78 invalid configuration, or the database was migrated
by a newer version that is not compatible.`,
  (words) => words.length === 0 || (words.length === 1 && /^--(?:dry-run|status)$/.test(words[0] ?? '')),
);
const { assertNoIncompatibleMigration } = await import('../platform/migration-history.ts');
const { inspectMigrations } = await import('../platform/migrations.ts');
const { MIGRATIONS_FOLDER, migrateDatabase } = await import('../start/open-database.ts');
const { runSchemaCommand } = await import('./command-context.ts');
const { formatMigrationPlan, formatMigrationStatus, isUpToDate } = await import(
  './migrate/format-migrations.ts'
);

await runSchemaCommand('migrate', async (config, address, log) => {
  if (option === undefined) {
    const { applied } = await migrateDatabase(config, address, log);
    console.log(applied.length === 0 ? 'No migration is pending.' : `Applied:\n${applied.join('\n')}`);
    return 0;
  }
  const state = await inspectMigrations({ url: address.ownerUrl, folder: MIGRATIONS_FOLDER });
  if (option === '--status') {
    console.log(formatMigrationStatus(state));
    return isUpToDate(state) ? 0 : 1;
  }
  assertNoIncompatibleMigration(state);
  console.log(formatMigrationPlan(state.pending, state.tableSizes));
  return 0;
});
