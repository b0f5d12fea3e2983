import { parseArgs } from 'node:util';
import {
  finishReconciliation,
  RECONCILED_INVOICE_DAYS,
  type ReconcileDifference,
  reconcilePayments,
} from '../features/billing/index.ts';
import { PaymentError } from '../providers/payments/payments.port.ts';
import { exitWithUsage, readCommandArguments } from '../shared/command-usage.ts';
import { EXIT_CODES } from '../shared/process-exit-codes.ts';
import { type CommandContext, runCommand } from './command-context.ts';
import { formatCount } from './format-count.ts';
import { createProgress } from './progress.ts';

const USAGE = `Usage:
  npm run billing:reconcile                    compares every subscription, and the invoices of ${RECONCILED_INVOICE_DAYS} days, with the
                                               payment provider, says what differs and writes what the provider says
  npm run billing:reconcile -- --dry-run       says what differs and changes nothing
  npm run billing:reconcile -- --days <days>   the same with the invoices of so many days
It can be stopped at any time and begun again: what is repaired stays so. Ends with 0 when nothing differs any more, with 1
when something does, with 64 for what is typed wrong, with 69 when nothing is sold, with 75 when the database or the
provider does not answer, with 130 when it is broken off.`;

readCommandArguments(USAGE, () => true);
const { days, isDry: isDryRun } = readOptions() ?? exitWithUsage(USAGE);

await runCommand('billing:reconcile', runReconciliation);

async function runReconciliation({ services, signal }: CommandContext): Promise<number> {
  const { payments } = services;
  if (!payments) {
    console.error('Nothing is sold here: BILLING is off, or its sandbox does not run.');
    return EXIT_CODES.UNAVAILABLE;
  }
  const bar = createProgress(process.stderr, 'subscriptions and invoices');
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
    const counts = `${formatCount(found.subscriptions, 'subscription')} and ${formatCount(found.invoices, 'invoice')}`;
    const unknownNote =
      found.unknownCustomers > 0 ? `, ${found.unknownCustomers} of them of nobody here` : '';
    console.log(
      `Compared ${counts}${unknownNote}: ${formatCount(found.different, 'difference')}, ${found.repaired} repaired.`,
    );
    if (!found.isComplete) {
      console.error('Broken off. What is repaired stays so; run it again to compare the rest.');
      return EXIT_CODES.INTERRUPTED;
    }
    if (!isDryRun) await finishReconciliation(services.database.client, payments.name);
    return found.different === found.repaired ? 0 : 1;
  } catch (error) {
    bar.end();
    if (!(error instanceof PaymentError)) throw error;
    console.error(`billing:reconcile: ${error.message} Run it again later: what is repaired stays so.`);
    return EXIT_CODES.TEMPORARY;
  }
}

function formatDifference({ object, id, fields, isRepaired }: ReconcileDifference): string {
  const description =
    fields.length === 0
      ? 'not known to the provider'
      : fields.map(({ field, ours, theirs }) => `${field} ${ours} → ${theirs}`).join(', ');
  return `${object.toLowerCase()} ${id}: ${description}${isRepaired ? ' (repaired)' : ''}`;
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: { 'dry-run': { type: 'boolean', default: false }, days: { type: 'string' } },
    });
    const days = values.days ?? String(RECONCILED_INVOICE_DAYS);
    return /^[1-9]\d{0,3}$/.test(days) ? { days: Number(days), isDry: values['dry-run'] } : null;
  } catch {
    return null;
  }
}
