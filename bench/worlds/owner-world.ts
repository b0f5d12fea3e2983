import { createServiceOwner } from '../../test/process/create-service-owner.ts';
import { type BenchedService, runWithService } from '../service-process.ts';

/** Service with a user and a code without a page. */
export interface OwnerWorld extends BenchedService, Awaited<ReturnType<typeof createServiceOwner>> {
  qrCodeId: string;
}

export function runWithOwner<Result>(
  environment: Record<string, string>,
  work: (world: OwnerWorld) => Promise<Result>,
): Promise<Result> {
  return runWithService({ LOG_LEVEL: 'warn', ...environment }, async (service) => {
    const owner = await createServiceOwner(service.base, service.ownerUrl);
    const code = { kind: 'URL', title: 'Scanned', data: { url: 'https://example.org/' } };
    const { id: qrCodeId = '' } = await owner.post('/api/qrcodes', code);
    return work({ ...service, ...owner, qrCodeId });
  });
}
