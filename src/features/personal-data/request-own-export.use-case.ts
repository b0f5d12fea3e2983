import type { CurrentUser } from '../../platform/authentication.ts';
import type { IdempotentResult } from '../../platform/idempotency.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { getDataExportPath, toDataExportView } from './data-export.view.ts';
import { DATA_EXPORT_QUEUE } from './make-export.job.ts';
import type { DataExport } from './personal-data.schemas.ts';
import type { PersonalDataServices } from './personal-data-services.ts';
import { reauthenticateUser } from './reauthenticate.ts';
import { requestDataExport, validateDataExportRecipient } from './request-export.use-case.ts';

/**
 * Request an archive of the user's data, with their password or after a recent login.
 * @throws as `reauthenticateUser`, `validateDataExportRecipient` and `requestDataExport`
 */
export async function requestOwnDataExport(
  services: PersonalDataServices,
  context: RequestContext,
  user: CurrentUser,
  { password, ageRecipient }: { password?: string | undefined; ageRecipient?: string | undefined },
): Promise<IdempotentResult<DataExport>> {
  await reauthenticateUser(services, context, user, password);
  const recipient = await validateDataExportRecipient(services, user.id, ageRecipient, 'ageRecipient');
  const once = { who: user.id, fingerprint: { recipient } };
  const made = await services.createIdempotently(context, once, async (tx) => {
    const row = await requestDataExport(services, context, tx, { userId: user.id, recipient });
    return { body: toDataExportView(services.publicBaseUrl, row), location: getDataExportPath(row.id) };
  });
  services.jobs.wake(DATA_EXPORT_QUEUE);
  return made;
}
