import Fastify, { type FastifyInstance } from 'fastify';
import { passwordRoutes } from './features/accounts/password.routes.ts';
import { profileRoutes } from './features/accounts/profile.routes.ts';
import { registrationRoutes } from './features/accounts/registration.routes.ts';
import { resetPageRoutes } from './features/accounts/reset-page.routes.ts';
import { sessionRoutes } from './features/accounts/session.routes.ts';
import { administrationRoutes } from './features/administration/administration.routes.ts';
import { breakGlassRoutes } from './features/administration/break-glass.routes.ts';
import { changeUsersRoutes } from './features/administration/change-users.routes.ts';
import { adminReportRoutes } from './features/administration/conversation-reports.routes.ts';
import { jobRoutes } from './features/administration/jobs.routes.ts';
import { packageRoutes } from './features/administration/packages.routes.ts';
import { supportRoutes } from './features/administration/support.routes.ts';
import { auditLogRoutes } from './features/audit/audit-log.routes.ts';
import { ownAuditRoutes } from './features/audit/own-audit.routes.ts';
import { trailProofRoutes } from './features/audit/trail-proof.routes.ts';
import { conversationRoutes } from './features/conversations/conversations.routes.ts';
import { finderConversationRoutes } from './features/conversations/finder-conversations.routes.ts';
import { openConversationRoutes } from './features/conversations/open-conversation.routes.ts';
import { ownMessageRoutes } from './features/conversations/own-messages.routes.ts';
import { conversationReportRoutes } from './features/conversations/report.routes.ts';
import { dashboardRoutes } from './features/dashboard/dashboard.routes.ts';
import { givenDocumentRoutes } from './features/document-grants/given-documents.routes.ts';
import { ownGrantRoutes } from './features/document-grants/own-grants.routes.ts';
import { ownShareRoutes } from './features/document-shares/own-shares.routes.ts';
import { sharedDocumentRoutes } from './features/document-shares/shared-documents.routes.ts';
import { documentContentRoutes } from './features/documents/document-content.routes.ts';
import { documentVersionRoutes } from './features/documents/document-versions.routes.ts';
import { documentRoutes } from './features/documents/documents.routes.ts';
import { codeFileRoutes } from './features/finder/code-file.routes.ts';
import { conversationPages } from './features/finder/conversation-pages.routes.ts';
import { finderRoutes } from './features/finder/finder.routes.ts';
import { galleryPages } from './features/finder/gallery-pages.routes.ts';
import { memorialPages } from './features/finder/memorial-pages.routes.ts';
import { servePages } from './features/finder/page-scope.ts';
import { sharePages } from './features/finder/share-pages.routes.ts';
import { testLinkRoutes } from './features/finder/test-link.routes.ts';
import { identityRoutes } from './features/identities/identities.routes.ts';
import { signInRoutes } from './features/identities/sign-in.routes.ts';
import { signInPageRoutes } from './features/identities/sign-in-page.routes.ts';
import { caretakerRoutes } from './features/memory-tags/caretakers.routes.ts';
import { galleryRoutes } from './features/memory-tags/gallery.routes.ts';
import { guestBookRoutes } from './features/memory-tags/guest-book.routes.ts';
import { memorialArchiveRoutes } from './features/memory-tags/memorial-archive.routes.ts';
import { memoryTagRoutes } from './features/memory-tags/memory-tags.routes.ts';
import { withdrawalRoutes } from './features/memory-tags/withdrawal.routes.ts';
import { notificationRoutes } from './features/notifications/notifications.routes.ts';
import { preferencesRoutes } from './features/notifications/preferences.routes.ts';
import { unsubscribeRoutes } from './features/notifications/unsubscribe.routes.ts';
import { COMPONENTS } from './features/openapi-components.ts';
import { webhookRoutes } from './features/payments/webhooks.routes.ts';
import { erasureRoutes } from './features/personal-data/erasure.routes.ts';
import { exportRoutes } from './features/personal-data/export.routes.ts';
import { pushDeviceRoutes } from './features/push/push-devices.routes.ts';
import { qrCodeImageRoutes } from './features/qrcodes/qrcode-image.routes.ts';
import { qrCodeStatusRoutes } from './features/qrcodes/qrcode-status.routes.ts';
import { describeKindsInDocument } from './features/qrcodes/qrcodes.openapi.ts';
import { qrCodeRoutes } from './features/qrcodes/qrcodes.routes.ts';
import { realtimeRoutes } from './features/realtime/realtime.routes.ts';
import { SUBPROTOCOLS } from './features/realtime/realtime.rules.ts';
import { reportRoutes } from './features/reports/report.routes.ts';
import { scanCreationRoutes } from './features/scans/scan-creation.routes.ts';
import { scanExportRoutes } from './features/scans/scan-export.routes.ts';
import { scanReadingRoutes } from './features/scans/scan-reading.routes.ts';
import { secondFactorRoutes } from './features/second-factor/second-factor.routes.ts';
import { errorPagesRoutes } from './features/service/error-documentation.routes.ts';
import { serviceRoutes } from './features/service/health.routes.ts';
import { mailboxRoutes } from './features/service/mailbox.routes.ts';
import { statisticsRoutes } from './features/statistics/statistics.routes.ts';
import { changeRoutes } from './features/subscriptions/change.routes.ts';
import { checkoutRoutes } from './features/subscriptions/checkout.routes.ts';
import { invoiceRoutes } from './features/subscriptions/invoices.routes.ts';
import { ownSubscriptionRoutes } from './features/subscriptions/own-subscription.routes.ts';
import { portalRoutes } from './features/subscriptions/portal.routes.ts';
import { returnPageRoutes } from './features/subscriptions/return-pages.routes.ts';
import { subscriptionRoutes } from './features/subscriptions/subscriptions.routes.ts';
import { auditTrail } from './platform/audit.ts';
import { authentication } from './platform/authentication.ts';
import { requestHead } from './platform/http/ambiguous-heads.ts';
import { cors } from './platform/http/cors.ts';
import { etag } from './platform/http/etag.ts';
import { fullLine } from './platform/http/full-line.ts';
import { jsonBody } from './platform/http/json-body.ts';
import { problem } from './platform/http/problem.ts';
import { queryText } from './platform/http/query-string.ts';
import { counterStores } from './platform/http/rate-limit-stores.ts';
import { rateLimits } from './platform/http/rate-limits.ts';
import { requestId } from './platform/http/request-id.ts';
import { type LogSettings, requestLog } from './platform/http/request-log.ts';
import { securityHeaders } from './platform/http/security-headers.ts';
import { limitConnections, serverOptions } from './platform/http/server-options.ts';
import { bodyPace } from './platform/http/slow-bodies.ts';
import { staticFiles } from './platform/http/static-files.ts';
import { uploads } from './platform/http/uploads.ts';
import { validation } from './platform/http/validation.ts';
import { webSockets } from './platform/http/websocket.ts';
import { openapi } from './platform/openapi.ts';
import { accessControl, PUBLIC, unaudited } from './platform/route-access.ts';
import type { Services } from './services.ts';
import { VERSION } from './shared/version.ts';

const REALTIME = '/api/realtime';

/**
 * Builds the application over its services: the platform in order, then the features. It listens nowhere
 * and opens nothing. Throws when a route does not declare who may call it.
 */
export async function buildApp(services: Services, log: LogSettings | false): Promise<FastifyInstance> {
  const { config } = services;
  const https = config.publicBaseUrl.startsWith('https:');
  const app = Fastify(serverOptions({ trustProxy: config.trustProxy, https, log }));
  limitConnections(app.server, config.rateLimitScale);

  app.addHook('onReady', async () => services.redis?.open());
  app.addHook('onClose', async () => services.redis?.close());
  await protocol(app, services, https);
  await people(app, services);
  await app.register(openapi, {
    version: VERSION,
    publicBaseUrl: config.publicBaseUrl,
    refine: describeKindsInDocument,
  });
  for (const component of COMPONENTS) app.addSchema(component);

  await app.register(staticFiles, {
    files: services.publicFiles,
    config: { access: PUBLIC, audit: unaudited('SYSTEM') },
  });
  await features(app, services);
  return app;
}

/** What a request passes before anybody asks who sent it. */
async function protocol(
  app: FastifyInstance,
  { config, secrets, database, redis, passwords }: Services,
  https: boolean,
) {
  await app.register(requestId);
  await app.register(requestLog);
  await app.register(bodyPace);
  await app.register(securityHeaders, { https });
  await app.register(problem);
  await app.register(requestHead);
  await app.register(cors, { origins: originsOf(config) });
  await app.register(rateLimits, {
    scale: config.rateLimitScale,
    secret: secrets.HASH_SECRET,
    stores: counterStores({ redis, query: (sql, parameters) => database.pool.query(sql, parameters) }),
  });
  await app.register(fullLine, { refuseWhenFull: passwords.refuseWhenFull });
  await app.register(queryText);
  await app.register(jsonBody);
  await app.register(validation);
  await app.register(etag);
  await app.register(uploads);
  await app.register(webSockets, { path: REALTIME, protocols: SUBPROTOCOLS, maxPayload: 65_536 });
}

/** Outside production pages of any origin may use the service. */
function originsOf({ production, corsOrigins }: Services['config']) {
  return production ? corsOrigins : 'any';
}

/** Who sent it, whether they may, and what the trail says of it. */
async function people(app: FastifyInstance, { secrets, database, enterpriseForAll }: Services) {
  await app.register(authentication, { database, jwtSecret: secrets.JWT_SECRET, enterpriseForAll });
  await app.register(accessControl);
  await app.register(auditTrail, { database });
}

async function features(app: FastifyInstance, services: Services) {
  const { config } = services;
  await app.register(serviceRoutes, { ...services, version: VERSION });
  await app.register(errorPagesRoutes);
  if (!config.production) await app.register(mailboxRoutes, { mailbox: services.mailbox });

  await app.register(registrationRoutes, { prefix: '/api/auth', ...services });
  await app.register(sessionRoutes, { prefix: '/api/auth', ...services });
  await app.register(secondFactorRoutes, { prefix: '/api/auth/mfa', ...services });
  await app.register(passwordRoutes, { prefix: '/api/auth', ...services });
  await app.register(resetPageRoutes, { prefix: '/api/auth' });
  await app.register(profileRoutes, { prefix: '/api/auth', ...services });
  await app.register(signInRoutes, { prefix: '/api/auth', ...services });
  await app.register(signInPageRoutes, { prefix: '/api/auth' });
  await app.register(identityRoutes, { prefix: '/api/auth', ...services });
  await app.register(exportRoutes, { prefix: '/api/auth', ...services });
  await app.register(erasureRoutes, { prefix: '/api/auth', ...services });

  await app.register(qrCodeRoutes, { prefix: '/api/qrcodes', ...services });
  await app.register(qrCodeStatusRoutes, { prefix: '/api/qrcodes', ...services });
  await app.register(qrCodeImageRoutes, { prefix: '/api/qrcodes', ...services });

  await app.register(scanCreationRoutes, { prefix: '/api/scans', ...services });
  await app.register(scanExportRoutes, { prefix: '/api/scans', ...services });
  await app.register(statisticsRoutes, { prefix: '/api', ...services });
  await app.register(reportRoutes, { prefix: '/api/scans', ...services });
  await app.register(scanReadingRoutes, { prefix: '/api/scans', ...services });
  await app.register(
    async (pages) => {
      servePages(pages, services);
      for (const routes of [
        ...[finderRoutes, memorialPages, galleryPages, codeFileRoutes, conversationPages, testLinkRoutes],
        sharePages,
      ])
        await pages.register(routes, services);
    },
    { prefix: '/s' },
  );

  await app.register(openConversationRoutes, { prefix: '/api/conversations/public', ...services });
  await app.register(finderConversationRoutes, { prefix: '/api/conversations/public', ...services });
  await app.register(ownMessageRoutes, { prefix: '/api/conversations', ...services });
  await app.register(conversationReportRoutes, { prefix: '/api/conversations', ...services });
  await app.register(conversationRoutes, { prefix: '/api/conversations', ...services });
  await app.register(notificationRoutes, { prefix: '/api/notifications', ...services });
  await app.register(realtimeRoutes, { prefix: REALTIME, ...services, origins: originsOf(config) });
  await app.register(preferencesRoutes, { prefix: '/api/notifications', ...services });
  await app.register(unsubscribeRoutes, { prefix: '/api/notifications', ...services });
  await app.register(pushDeviceRoutes, { prefix: '/api/notifications/devices', ...services });
  await app.register(dashboardRoutes, { prefix: '/api/dashboard', ...services });
  await app.register(memoryTagRoutes, { prefix: '/api/memory-tags', ...services });
  for (const routes of [sharedDocumentRoutes, ownShareRoutes])
    await app.register(routes, { prefix: '/api/documents', ...services });
  for (const routes of [givenDocumentRoutes, ownGrantRoutes])
    await app.register(routes, { prefix: '/api/documents', ...services });
  for (const routes of [documentRoutes, documentVersionRoutes, documentContentRoutes])
    await app.register(routes, { prefix: '/api/documents', ...services });
  await app.register(galleryRoutes, { prefix: '/api/memory-tags', ...services });
  await app.register(caretakerRoutes, { prefix: '/api/memory-tags', ...services });
  for (const routes of [guestBookRoutes, withdrawalRoutes])
    await app.register(routes, { prefix: '/api/memory-tags', ...services });
  await app.register(memorialArchiveRoutes, { prefix: '/api/memory-tags', ...services });
  await app.register(subscriptionRoutes, { prefix: '/api/subscription', ...services });
  await app.register(returnPageRoutes, { prefix: '/api/subscription' });
  for (const routes of [checkoutRoutes, ownSubscriptionRoutes, portalRoutes, changeRoutes, invoiceRoutes])
    await app.register(routes, { prefix: '/api/subscription', ...services });
  await app.register(webhookRoutes, { prefix: '/api/webhooks', ...services });
  await app.register(administrationRoutes, { prefix: '/api/admin', ...services });
  await app.register(changeUsersRoutes, { prefix: '/api/admin', ...services });
  await app.register(adminReportRoutes, { prefix: '/api/admin', ...services });
  await app.register(jobRoutes, { prefix: '/api/admin', ...services });
  await app.register(packageRoutes, { prefix: '/api/admin', ...services });
  await app.register(breakGlassRoutes, { prefix: '/api/admin', ...services });
  await app.register(auditLogRoutes, { prefix: '/api/admin/audit-logs', ...services });
  await app.register(trailProofRoutes, { prefix: '/api/admin/audit-logs', ...services });
  await app.register(ownAuditRoutes, { prefix: '/api/audit', ...services });
  await app.register(supportRoutes, { prefix: '/api/support', ...services });
}
