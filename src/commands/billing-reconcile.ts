import { parseArgs } from 'node:util';
import type { PaymentReconciliationDifference } from '../features/billing/index.ts';
import { PaymentError } from '../providers/payments/payments.port.ts';
import { exitWithUsage, readCommandArguments } from '../shared/command-usage.ts';
import { MAX_RECONCILED_INVOICE_AGE_DAYS } from '../shared/lifetimes.ts';
import { EXIT_CODES } from '../shared/process-exit-codes.ts';
import type { CommandContext } from './command-context.ts';
import { formatCountWithNoun } from './format-count.ts';
import { createCommandProgress } from './progress.ts';

const USAGE = `Usage:
  npm run maintenance -- reconcile-billing                 compares all subscriptions, and the invoices of ${MAX_RECONCILED_INVOICE_AGE_DAYS} days, with the
                                               payment provider, reports differences and repairs them
  npm run maintenance -- reconcile-billing --dry-run       only reports differences
  npm run maintenance -- reconcile-billing --days <days>   compares the invoices of another number of days
Can be interrupted and repeated; repairs are kept. Exit codes: 0 no remaining differences, 1 remaining differences, 64
invalid arguments, 69 billing is off, 75 the database or the provider is unavailable, 130 interrupted.`;

readCommandArguments(USAGE, () => true);
const { days, isDry: isDryRun } = readOptions() ?? exitWithUsage(USAGE);
const { runCommand } = await import('./command-context.ts');
const { finishPaymentReconciliation, reconcilePayments } = await import('../features/billing/index.ts');

await runCommand('maintenance reconcile-billing', runReconciliation);

async function runReconciliation({ services, signal }: CommandContext): Promise<number> {
  const { payments } = services;
  if (!payments) {
    console.error('Billing is off, or its sandbox is not running.');
    return EXIT_CODES.UNAVAILABLE;
  }
  const bar = createCommandProgress(process.stderr, 'subscriptions and invoices');
  try {
    const found = await reconcilePayments(
      { ...services, payments },
      {
        invoiceDays: days,
        isDryRun,
        signal,
        onProgress: bar.step,
        onDifference: (difference) => console.log(formatDifference(difference)),
      },
    );
    bar.end();
    const counts = `${formatCountWithNoun(found.subscriptions, 'subscription')} and ${formatCountWithNoun(found.invoices, 'invoice')}`;
    const unknownNote =
      found.unknownCustomers > 0 ? `, ${found.unknownCustomers} of them of unknown customers` : '';
    console.log(
      `Compared ${counts}${unknownNote}: ${formatCountWithNoun(found.different, 'difference')}, ${found.repaired} repaired.`,
    );
    if (!found.isComplete) {
      console.error('Interrupted. Repairs are kept; run it again to compare the rest.');
      return EXIT_CODES.INTERRUPTED;
    }
    if (!isDryRun) await finishPaymentReconciliation(services.database.client, payments.name);
    return found.different === found.repaired ? 0 : 1;
  } catch (error) {
    bar.end();
    if (!(error instanceof PaymentError)) throw error;
    console.error(`maintenance reconcile-billing: ${error.message} Run it again later; repairs are kept.`);
    return EXIT_CODES.TEMPORARY;
  }
}

function formatDifference({ object, id, fields, isRepaired }: PaymentReconciliationDifference): string {
  const description =
    fields.length === 0
      ? 'unknown to the provider'
      : fields.map(({ field, ours, theirs }) => `${field} ${ours} → ${theirs}`).join(', ');
  return `${object.toLowerCase()} ${id}: ${description}${isRepaired ? ' (repaired)' : ''}`;
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: { 'dry-run': { type: 'boolean', default: false }, days: { type: 'string' } },
    });
    const days = values.days ?? String(MAX_RECONCILED_INVOICE_AGE_DAYS);
    return /^[1-9]\d{0,3}$/.test(days) ? { days: Number(days), isDry: values['dry-run'] } : null;
  } catch {
    return null;
  }
}
