import type { FastifyRequest } from 'fastify';
import type { JobScheduler } from '../../platform/jobs.ts';
import type { TypingTracker } from '../../platform/realtime/typing.ts';
import type { CityFinder, Geocoder } from '../../providers/geocoding/geocoding.port.ts';
import type { PaymentProvider } from '../../providers/payments/payments.port.ts';
import type { PushProvider, WebPushProvider } from '../../providers/push/push.port.ts';
import { getBasePath } from '../../shared/base-path.ts';
import type { AdministrationServices } from '../administration/index.ts';
import type { AuditServices } from '../audit/index.ts';
import type { PlanService, PurchaseServices } from '../billing/index.ts';
import type { QrCodeServices } from '../codes/index.ts';
import type { DocumentGrantServices, DocumentServices } from '../documents/index.ts';
import type { FinderServices, PosterDrawer } from '../finder/index.ts';
import type { IdentityServices } from '../identity/index.ts';
import type { PersonalDataServices } from '../personal-data/index.ts';
import type { ScanReportSender } from '../scans/index.ts';
import type { WebhookDispatcher } from '../webhooks/index.ts';

export interface OwnerPageServices
  extends IdentityServices,
    PurchaseServices,
    QrCodeServices,
    FinderServices,
    DocumentServices,
    DocumentGrantServices,
    PersonalDataServices,
    AdministrationServices,
    AuditServices {
  // Features need different parts of it.
  getPlan: PlanService['getPlan'];
  isReadOnly: PlanService['isReadOnly'];
  rejectReadOnlyChange: PlanService['rejectReadOnlyChange'];
  reserveQuota: PlanService['reserveQuota'];
  config: {
    production: boolean;
    cellId: string;
    maxDocumentBytes: number;
    billing: 'stripe' | 'sandbox' | 'off';
  };
  /** Null when billing is disabled. */
  payments: PaymentProvider | null;
  /** Firebase; null where it is not configured. */
  push: PushProvider | null;
  webPush: WebPushProvider;
  scanReports: ScanReportSender;
  posters: PosterDrawer;
  jobs: JobScheduler;
  geocoder: Geocoder & CityFinder;
  webhookDispatcher: Pick<WebhookDispatcher, 'wake'>;
  typing: Pick<TypingTracker, 'publish' | 'isTyping'>;
  log: Record<'info' | 'warn' | 'error', (details: object, message: string) => void>;
}

/** Path of the pages for owners, with the base path of the service. */
export function getOwnerPagesPath({ publicBaseUrl }: Pick<OwnerPageServices, 'publicBaseUrl'>): string {
  return `${getBasePath(publicBaseUrl)}/app`;
}

export function getAccountPath(
  services: Pick<OwnerPageServices, 'publicBaseUrl'>,
  accountId: string,
): string {
  return `${getOwnerPagesPath(services)}/${accountId}`;
}

export function isSecure({ publicBaseUrl }: Pick<OwnerPageServices, 'publicBaseUrl'>): boolean {
  return publicBaseUrl.startsWith('https:');
}

/** Get the address of a request as the browser has it: a proxy removes the base path of the service. */
export function getPublicPath(
  { publicBaseUrl }: Pick<OwnerPageServices, 'publicBaseUrl'>,
  { url }: FastifyRequest,
): string {
  return `${getBasePath(publicBaseUrl)}${url}`;
}
