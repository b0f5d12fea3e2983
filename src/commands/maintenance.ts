import { runSubcommand } from './run-subcommand.ts';

await runSubcommand(
  `Usage:
  npm run maintenance -- <command>
Commands: check-files, reclassify-scans, reconcile-billing, accept-secret. --help after a command prints its usage.`,
  {
    'check-files': () => import('./files-check.ts'),
    'reclassify-scans': () => import('./scans-reclassify.ts'),
    'reconcile-billing': () => import('./billing-reconcile.ts'),
    'accept-secret': () => import('./secrets-accept.ts'),
  },
);
