import { recordVisitorAccess } from '../../platform/audit.ts';
import type { Database, Tx } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import type { VisibleQrCodeContent } from './scanned-code.ts';

interface MedicalContent {
  profile: VisibleQrCodeContent['profile'];
  pictures: readonly unknown[];
}

function showsMedicalContent(code: { kind: string }, content: MedicalContent): boolean {
  return code.kind === 'MEDICAL' && (content.profile !== null || content.pictures.length > 0);
}

export async function auditMedicalContentAccess(
  context: RequestContext,
  tx: Tx,
  code: { id: string; kind: string },
  content: MedicalContent,
): Promise<void> {
  if (!showsMedicalContent(code, content)) return;
  await recordVisitorAccess(tx, context, { action: 'MEDICAL_DATA_SCANNED', resourceId: code.id });
}

/** As `auditMedicalContentAccess`, in a transaction of its own. */
export async function commitMedicalContentAccess(
  database: Database,
  context: RequestContext,
  code: { id: string; kind: string },
  content: MedicalContent,
): Promise<void> {
  if (showsMedicalContent(code, content))
    await database.transaction((tx) => auditMedicalContentAccess(context, tx, code, content));
}
