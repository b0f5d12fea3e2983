import { runSubcommand } from './run-subcommand.ts';

await runSubcommand(
  `Usage:
  npm run audit -- <command>
Commands: verify, export, public-key. --help after a command prints its usage.`,
  {
    verify: () => import('./audit-verify.ts'),
    export: () => import('./audit-export.ts'),
    'public-key': () => import('./audit-public-key.ts'),
  },
);
