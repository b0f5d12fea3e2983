import type { FastifyRequest } from 'fastify';
import type { QrCodeKindDefinition } from '../../codes/index.ts';
import { toKindPath } from '../content/new-code-form.ts';
import { withLanguage } from '../layout.ts';
import { getAccountPath, getOwnerPagesPath, type OwnerPageServices } from '../owner-page-services.ts';

type Services = Pick<OwnerPageServices, 'publicBaseUrl'>;

export function getStartPath(services: Services, kind: string): string {
  return `${getOwnerPagesPath(services)}/start/${toKindPath(kind)}`;
}

/** The same for every browser: its cookie says which photo. */
export function getDraftPhotoPath(services: Services): string {
  return `${getOwnerPagesPath(services)}/start/photo`;
}

/** Get the address after the draft: of its code, or first of the account. */
export function getNextPath(services: Services, request: FastifyRequest): string {
  return request.user
    ? `${getAccountPath(services, request.user.id)}/start`
    : withLanguage(`${getOwnerPagesPath(services)}/sign-up`, request);
}

/** Whether codes of a kind have photos. */
export function hasPhotoStep({ defaultVisibility }: QrCodeKindDefinition): boolean {
  return 'pictures' in defaultVisibility;
}
