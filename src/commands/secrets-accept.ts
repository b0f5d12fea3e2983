import { exitWithUsage, readCommandArguments } from '../shared/command-usage.ts';
import { CHECKED_SECRET_NAMES } from '../shared/secret-names.ts';

const USAGE = `Usage:
  npm run maintenance -- accept-secret <name>    accepts the configured JWT_SECRET, HASH_SECRET or AUDIT_SIGNING_KEY in place of the previous one`;

const [name] = readCommandArguments(USAGE, (words) => words.length === 1);
const secret = CHECKED_SECRET_NAMES.find((known) => known === name) ?? exitWithUsage(USAGE);
const { runCommand } = await import('./command-context.ts');
const { acceptSecret } = await import('../start/check-secrets.ts');

await runCommand(
  'maintenance accept-secret',
  async () => {
    console.log(`${secret} is accepted. Start all instances with it.`);
    return 0;
  },
  { prepare: async (database, secrets) => void (await acceptSecret(database, secrets, secret)) },
);
