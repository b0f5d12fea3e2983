import Fastify, { type FastifyInstance } from 'fastify';
import { adminPackageRoutes } from './features/administration/admin-packages.routes.ts';
import { adminUserRoutes } from './features/administration/admin-users.routes.ts';
import { administrationRoutes } from './features/administration/administration.routes.ts';
import { breakGlassRoutes } from './features/administration/break-glass.routes.ts';
import { adminReportRoutes } from './features/administration/conversation-reports.routes.ts';
import { jobRoutes } from './features/administration/jobs.routes.ts';
import { supportRoutes } from './features/administration/support.routes.ts';
import { auditLogRoutes } from './features/audit/audit-log.routes.ts';
import { ownAuditRoutes } from './features/audit/own-audit.routes.ts';
import { trailVerificationRoutes } from './features/audit/trail-verification.routes.ts';
import { webhookRoutes } from './features/billing/payments/webhooks.routes.ts';
import { checkoutRoutes } from './features/billing/subscriptions/checkout.routes.ts';
import { invoiceRoutes } from './features/billing/subscriptions/invoices.routes.ts';
import { ownSubscriptionRoutes } from './features/billing/subscriptions/own-subscription.routes.ts';
import { changeRoutes } from './features/billing/subscriptions/plan-change.routes.ts';
import { portalRoutes } from './features/billing/subscriptions/portal.routes.ts';
import { returnPageRoutes } from './features/billing/subscriptions/return-pages.routes.ts';
import { subscriptionRoutes } from './features/billing/subscriptions/subscriptions.routes.ts';
import { qrCodeImageRoutes } from './features/codes/qrcode-image.routes.ts';
import { qrCodeStatusRoutes } from './features/codes/qrcode-status.routes.ts';
import { describeKindsInDocument } from './features/codes/qrcodes.openapi.ts';
import { qrCodeRoutes } from './features/codes/qrcodes.routes.ts';
import { conversationRoutes } from './features/conversations/conversations.routes.ts';
import { finderConversationRoutes } from './features/conversations/finder-conversations.routes.ts';
import { ownerMessageRoutes } from './features/conversations/owner-messages.routes.ts';
import { conversationReportRoutes } from './features/conversations/report.routes.ts';
import { startConversationRoutes } from './features/conversations/start-conversation.routes.ts';
import { documentContentRoutes } from './features/documents/document-content.routes.ts';
import { documentVersionRoutes } from './features/documents/document-versions.routes.ts';
import { documentRoutes } from './features/documents/documents.routes.ts';
import { documentGrantRoutes } from './features/documents/grants/document-grants.routes.ts';
import { receivedDocumentRoutes } from './features/documents/grants/received-documents.routes.ts';
import { documentShareRoutes } from './features/documents/shares/document-shares.routes.ts';
import { sharedDocumentRoutes } from './features/documents/shares/shared-documents.routes.ts';
import { codeFileRoutes } from './features/finder/code-file.routes.ts';
import { conversationPageRoutes } from './features/finder/conversation-pages.routes.ts';
import { finderRoutes } from './features/finder/finder.routes.ts';
import { galleryPageRoutes } from './features/finder/gallery-pages.routes.ts';
import { memorialArchiveRoutes } from './features/finder/memorial-archive/memorial-archive.routes.ts';
import { memorialPageRoutes } from './features/finder/memorial-pages.routes.ts';
import { registerPageHandlers } from './features/finder/page-scope.ts';
import { sharePageRoutes } from './features/finder/share-pages.routes.ts';
import { testLinkRoutes } from './features/finder/test-link.routes.ts';
import { passwordRoutes } from './features/identity/accounts/password.routes.ts';
import { passwordResetPageRoutes } from './features/identity/accounts/password-reset-page.routes.ts';
import { profileRoutes } from './features/identity/accounts/profile.routes.ts';
import { registrationRoutes } from './features/identity/accounts/registration.routes.ts';
import { sessionRoutes } from './features/identity/accounts/session.routes.ts';
import { secondFactorRoutes } from './features/identity/second-factor/second-factor.routes.ts';
import { identityRoutes } from './features/identity/sign-in/identities.routes.ts';
import { signInRoutes } from './features/identity/sign-in/sign-in.routes.ts';
import { signInPageRoutes } from './features/identity/sign-in/sign-in-page.routes.ts';
import { caretakerRoutes } from './features/memory-tags/caretakers.routes.ts';
import { galleryRoutes } from './features/memory-tags/gallery.routes.ts';
import { guestBookRoutes } from './features/memory-tags/guest-book.routes.ts';
import { memoryTagRoutes } from './features/memory-tags/memory-tags.routes.ts';
import { withdrawalRoutes } from './features/memory-tags/withdrawal.routes.ts';
import { notificationRoutes } from './features/notifications/notifications.routes.ts';
import { preferencesRoutes } from './features/notifications/preferences.routes.ts';
import { pushDeviceRoutes } from './features/notifications/push/push-devices.routes.ts';
import { unsubscribeRoutes } from './features/notifications/unsubscribe.routes.ts';
import { COMPONENTS } from './features/openapi-components.ts';
import { erasureRoutes } from './features/personal-data/erasure.routes.ts';
import { exportRoutes } from './features/personal-data/export.routes.ts';
import { realtimeRoutes } from './features/realtime/realtime.routes.ts';
import { CREDENTIAL_SUBPROTOCOLS } from './features/realtime/realtime.rules.ts';
import { dashboardRoutes } from './features/scans/dashboard/dashboard.routes.ts';
import { reportRoutes } from './features/scans/reports/report.routes.ts';
import { scanCreationRoutes } from './features/scans/scan-creation.routes.ts';
import { scanExportRoutes } from './features/scans/scan-export.routes.ts';
import { scanReadingRoutes } from './features/scans/scan-reading.routes.ts';
import { statisticsRoutes } from './features/scans/statistics/statistics.routes.ts';
import { errorDocumentationRoutes } from './features/system/error-documentation.routes.ts';
import { healthRoutes } from './features/system/health.routes.ts';
import { mailboxRoutes } from './features/system/mailbox.routes.ts';
import { auditTrailPlugin } from './platform/audit.ts';
import { bearerAuthenticationPlugin } from './platform/authentication.ts';
import { bodyTimeoutPlugin } from './platform/http/body-timeout.ts';
import { corsPlugin } from './platform/http/cors.ts';
import { etagPlugin } from './platform/http/etag.ts';
import { hashQueueGuardPlugin } from './platform/http/hash-queue-guard.ts';
import { jsonBodyPlugin } from './platform/http/json-body.ts';
import { multipartPlugin } from './platform/http/multipart.ts';
import { problemDetailsPlugin } from './platform/http/problem-details.ts';
import { queryStringPlugin } from './platform/http/query-string.ts';
import { createRateLimitStores } from './platform/http/rate-limit-stores.ts';
import { rateLimitsPlugin } from './platform/http/rate-limits.ts';
import { requestIdPlugin } from './platform/http/request-id.ts';
import { type LogSettings, requestLogPlugin } from './platform/http/request-log.ts';
import { securityHeadersPlugin } from './platform/http/security-headers.ts';
import { createServerOptions, limitConnections } from './platform/http/server-options.ts';
import { staticFilesPlugin } from './platform/http/static-files.ts';
import { strictRequestHeadPlugin } from './platform/http/strict-request-head.ts';
import { validationPlugin } from './platform/http/validation.ts';
import { webSocketsPlugin } from './platform/http/websocket.ts';
import { openApiPlugin } from './platform/openapi.ts';
import { accessControlPlugin, PUBLIC_ACCESS, skipAudit } from './platform/route-access.ts';
import type { Services } from './services.ts';
import { VERSION } from './shared/version.ts';

const REALTIME_PATH = '/api/realtime';

/**
 * Builds the application over its services: the platform in order, then the features. It listens nowhere
 * and opens nothing. Throws when a route does not declare who may call it.
 */
export async function buildApp(services: Services, log: LogSettings | false): Promise<FastifyInstance> {
  const { config } = services;
  const https = config.publicBaseUrl.startsWith('https:');
  const app = Fastify(createServerOptions({ trustProxy: config.trustProxy, https, log }));
  limitConnections(app.server, config.rateLimitScale);

  app.addHook('onReady', async () => services.redis?.open());
  app.addHook('onClose', async () => services.redis?.close());
  await registerProtocolPlugins(app, services, https);
  await registerAccessPlugins(app, services);
  await app.register(openApiPlugin, {
    version: VERSION,
    publicBaseUrl: config.publicBaseUrl,
    refine: describeKindsInDocument,
  });
  for (const component of COMPONENTS) app.addSchema(component);

  await app.register(staticFilesPlugin, {
    files: services.publicFiles,
    config: { access: PUBLIC_ACCESS, audit: skipAudit('SYSTEM') },
  });
  await registerFeatures(app, services);
  return app;
}

/** What a request passes before anybody asks who sent it. */
async function registerProtocolPlugins(
  app: FastifyInstance,
  { config, secrets, database, redis, passwords }: Services,
  https: boolean,
) {
  await app.register(requestIdPlugin);
  await app.register(requestLogPlugin);
  await app.register(bodyTimeoutPlugin);
  await app.register(securityHeadersPlugin, { https });
  await app.register(problemDetailsPlugin);
  await app.register(strictRequestHeadPlugin);
  await app.register(corsPlugin, { origins: getAllowedOrigins(config) });
  await app.register(rateLimitsPlugin, {
    scale: config.rateLimitScale,
    secret: secrets.HASH_SECRET,
    stores: createRateLimitStores({
      redis,
      query: (sql, parameters) => database.pool.query(sql, parameters),
    }),
  });
  await app.register(hashQueueGuardPlugin, { assertNotFull: passwords.assertNotFull });
  await app.register(queryStringPlugin);
  await app.register(jsonBodyPlugin);
  await app.register(validationPlugin);
  await app.register(etagPlugin);
  await app.register(multipartPlugin);
  await app.register(webSocketsPlugin, {
    path: REALTIME_PATH,
    protocols: CREDENTIAL_SUBPROTOCOLS,
    maxPayload: 65_536,
  });
}

/** Outside production pages of any origin may use the service. */
function getAllowedOrigins({ production, corsOrigins }: Services['config']) {
  return production ? corsOrigins : 'any';
}

/** Who sent it, whether they may, and what the trail says of it. */
async function registerAccessPlugins(
  app: FastifyInstance,
  { secrets, database, enterpriseForAll }: Services,
) {
  await app.register(bearerAuthenticationPlugin, {
    database,
    jwtSecret: secrets.JWT_SECRET,
    enterpriseForAll,
  });
  await app.register(accessControlPlugin);
  await app.register(auditTrailPlugin, { database });
}

async function registerFeatures(app: FastifyInstance, services: Services) {
  const { config } = services;
  await app.register(healthRoutes, { ...services, version: VERSION });
  await app.register(errorDocumentationRoutes);
  if (!config.production) await app.register(mailboxRoutes, { mailbox: services.mailbox });

  await app.register(registrationRoutes, { prefix: '/api/auth', ...services });
  await app.register(sessionRoutes, { prefix: '/api/auth', ...services });
  await app.register(secondFactorRoutes, { prefix: '/api/auth/mfa', ...services });
  await app.register(passwordRoutes, { prefix: '/api/auth', ...services });
  await app.register(passwordResetPageRoutes, { prefix: '/api/auth' });
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
      registerPageHandlers(pages, services);
      for (const routes of [
        ...[
          finderRoutes,
          memorialPageRoutes,
          galleryPageRoutes,
          codeFileRoutes,
          conversationPageRoutes,
          testLinkRoutes,
        ],
        sharePageRoutes,
      ])
        await pages.register(routes, services);
    },
    { prefix: '/s' },
  );

  await app.register(startConversationRoutes, { prefix: '/api/conversations/public', ...services });
  await app.register(finderConversationRoutes, { prefix: '/api/conversations/public', ...services });
  await app.register(ownerMessageRoutes, { prefix: '/api/conversations', ...services });
  await app.register(conversationReportRoutes, { prefix: '/api/conversations', ...services });
  await app.register(conversationRoutes, { prefix: '/api/conversations', ...services });
  await app.register(notificationRoutes, { prefix: '/api/notifications', ...services });
  await app.register(realtimeRoutes, {
    prefix: REALTIME_PATH,
    ...services,
    origins: getAllowedOrigins(config),
  });
  await app.register(preferencesRoutes, { prefix: '/api/notifications', ...services });
  await app.register(unsubscribeRoutes, { prefix: '/api/notifications', ...services });
  await app.register(pushDeviceRoutes, { prefix: '/api/notifications/devices', ...services });
  await app.register(dashboardRoutes, { prefix: '/api/dashboard', ...services });
  await app.register(memoryTagRoutes, { prefix: '/api/memory-tags', ...services });
  for (const routes of [sharedDocumentRoutes, documentShareRoutes])
    await app.register(routes, { prefix: '/api/documents', ...services });
  for (const routes of [receivedDocumentRoutes, documentGrantRoutes])
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
  await app.register(adminUserRoutes, { prefix: '/api/admin', ...services });
  await app.register(adminReportRoutes, { prefix: '/api/admin', ...services });
  await app.register(jobRoutes, { prefix: '/api/admin', ...services });
  await app.register(adminPackageRoutes, { prefix: '/api/admin', ...services });
  await app.register(breakGlassRoutes, { prefix: '/api/admin', ...services });
  await app.register(auditLogRoutes, { prefix: '/api/admin/audit-logs', ...services });
  await app.register(trailVerificationRoutes, { prefix: '/api/admin/audit-logs', ...services });
  await app.register(ownAuditRoutes, { prefix: '/api/audit', ...services });
  await app.register(supportRoutes, { prefix: '/api/support', ...services });
}
