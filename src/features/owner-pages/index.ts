import type { Feature, FeatureManifest } from '../../platform/feature.ts';
import { PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { getBasePath } from '../../shared/base-path.ts';
import { ServiceError } from '../../shared/errors.ts';
import { batchPageRoutes } from './batches/batch.routes.ts';
import { batchListPageRoutes } from './batches/batch-list.routes.ts';
import { readPhotoRoutes } from './camera/read-photo.routes.ts';
import { claimPageRoutes } from './claims/claim.routes.ts';
import { changeSelectedPageRoutes } from './codes/change-selected.routes.ts';
import { codePageRoutes } from './codes/code.routes.ts';
import { codeExportPageRoutes } from './codes/code-export.routes.ts';
import { codeListPageRoutes } from './codes/code-list.routes.ts';
import { codeSettingsPageRoutes } from './codes/code-settings.routes.ts';
import { codeStatusPageRoutes } from './codes/code-status.routes.ts';
import { deletedCodePageRoutes } from './codes/deleted-codes.routes.ts';
import { folderPageRoutes } from './codes/folders.routes.ts';
import { historyPageRoutes } from './codes/history.routes.ts';
import { lostPageRoutes } from './codes/lost.routes.ts';
import { lostAndFoundPageRoutes } from './codes/lost-and-found.routes.ts';
import { matchingCodePageRoutes } from './codes/matching-codes.routes.ts';
import { offeredDocumentPageRoutes } from './codes/offered-documents.routes.ts';
import { phonePageRoutes } from './codes/phone.routes.ts';
import { printPageRoutes } from './codes/print.routes.ts';
import { savedViewPageRoutes } from './codes/saved-views.routes.ts';
import { scanPageRoutes } from './codes/scans.routes.ts';
import { selectedCodePageRoutes } from './codes/selected-codes.routes.ts';
import { takedownPageRoutes } from './codes/takedown.routes.ts';
import { componentSampleRoutes } from './component-samples/component-samples.routes.ts';
import { contentPageRoutes } from './content/content.routes.ts';
import { newCodePageRoutes } from './content/new-code.routes.ts';
import { picturePageRoutes } from './content/pictures.routes.ts';
import { pageDesignRoutes } from './design/page-design.routes.ts';
import { deletedDocumentPageRoutes } from './documents/deleted.routes.ts';
import { documentPageRoutes } from './documents/document.routes.ts';
import { documentListPageRoutes } from './documents/document-list.routes.ts';
import { receivedDocumentPageRoutes } from './documents/received.routes.ts';
import { documentSharingPageRoutes } from './documents/sharing.routes.ts';
import { documentUploadPageRoutes } from './documents/upload.routes.ts';
import { firstStepsPageRoutes } from './first-steps/first-steps.routes.ts';
import { practicePageRoutes } from './first-steps/practice.routes.ts';
import { homePageRoutes } from './home.routes.ts';
import { importDraftPageRoutes } from './imports/draft.routes.ts';
import { importPageRoutes } from './imports/import.routes.ts';
import { importListPageRoutes } from './imports/import-list.routes.ts';
import { conversationPageRoutes } from './inbox/conversation.routes.ts';
import { inboxPageRoutes } from './inbox/inbox.routes.ts';
import { notePageRoutes } from './inbox/notes.routes.ts';
import { invitationLinkPageRoutes } from './invitation-link.routes.ts';
import { caretakerPageRoutes } from './memorials/caretakers.routes.ts';
import { guestBookPageRoutes } from './memorials/guest-book.routes.ts';
import { memorialPicturePageRoutes } from './memorials/memorial-pictures.routes.ts';
import { memorialPageRoutes } from './memorials/memorials.routes.ts';
import { memorialPlacePageRoutes } from './memorials/places.routes.ts';
import { notificationPageRoutes } from './notifications/notification.routes.ts';
import { unsubscribePageRoutes } from './notifications/unsubscribe.routes.ts';
import type { OwnerPageServices } from './owner-page-services.ts';
import { registerOwnerPageHandlers } from './page-scope.ts';
import { PAGE_SCRIPT, PAGE_SCRIPT_PATH } from './page-script.ts';
import { palettePageRoutes } from './palette/palette.routes.ts';
import { passwordPageRoutes } from './password.routes.ts';
import { printSheetPageRoutes } from './print-sheets/print-sheets.routes.ts';
import { reportPageRoutes } from './reports.routes.ts';
import { paymentReturnPageRoutes } from './settings/payment-return.routes.ts';
import { settingsPageRoutes } from './settings/settings.routes.ts';
import { SIGNED_OUT_ACCESS, signInPageRoutes } from './sign-in.routes.ts';
import { signUpPageRoutes } from './sign-up.routes.ts';
import { appealStaffPageRoutes } from './staff/appeals.routes.ts';
import { auditStaffPageRoutes } from './staff/audit.routes.ts';
import { breakGlassStaffPageRoutes } from './staff/break-glass.routes.ts';
import { breakGlassRecordStaffPageRoutes } from './staff/break-glass-record.routes.ts';
import { codeReportStaffPageRoutes } from './staff/code-reports.routes.ts';
import { codeReviewStaffPageRoutes } from './staff/code-review.routes.ts';
import { conversationReportStaffPageRoutes } from './staff/conversation-reports.routes.ts';
import { jobStaffPageRoutes } from './staff/jobs.routes.ts';
import { packageStaffPageRoutes } from './staff/packages.routes.ts';
import { staffHomePageRoutes } from './staff/staff-home.routes.ts';
import { userStaffPageRoutes } from './staff/user.routes.ts';
import { userListStaffPageRoutes } from './staff/user-list.routes.ts';
import { deleteExpiredCodeDrafts } from './start/code-draft.repository.ts';
import { draftCodePageRoutes } from './start/draft-code.routes.ts';
import { draftPhotoPageRoutes } from './start/draft-photo.routes.ts';
import { startPageRoutes } from './start/start.routes.ts';
import { serviceWorkerRoutes } from './web-push/service-worker.routes.ts';

export const ownerPagesManifest: FeatureManifest = { name: 'owner-pages', queues: [] };

export function createOwnerPagesFeature(services: OwnerPageServices & { config: { ownerPages: boolean } }) {
  const feature: Feature = {
    async plugin(app) {
      if (!services.config.ownerPages) return;
      await app.register(
        async (pages) => {
          registerOwnerPageHandlers(pages, services);
          pages.get(
            `/${PAGE_SCRIPT_PATH}`,
            {
              config: { access: PUBLIC_ACCESS, audit: skipAudit('SYSTEM'), rateLimitClass: 'static' },
              schema: { hide: true },
            },
            (_request, reply) =>
              reply
                .header('Cache-Control', 'public, max-age=31536000, immutable')
                .type('text/javascript; charset=utf-8')
                .send(PAGE_SCRIPT),
          );
          pages.get(
            '/*',
            {
              // Other methods of a path that exists are 405.
              exposeHeadRoute: false,
              config: { access: SIGNED_OUT_ACCESS, audit: skipAudit('SYSTEM'), rateLimitClass: 'page' },
              schema: { hide: true },
            },
            async ({ server, url }, reply) => {
              const methods = server.listAllowedMethods(url);
              if (methods.length === 0) throw new ServiceError('NOT_FOUND');
              // Somebody opens the answer to a form again: the page with the form is above it.
              const parts = url.split('?', 1).join().split('/');
              while (!server.listAllowedMethods(parts.join('/')).includes('GET')) parts.pop();
              return reply.redirect(`${getBasePath(services.publicBaseUrl)}${parts.join('/')}`, 303);
            },
          );
          await pages.register(componentSampleRoutes, services);
          await pages.register(signInPageRoutes, services);
          await pages.register(startPageRoutes, services);
          await pages.register(signUpPageRoutes, services);
          await pages.register(passwordPageRoutes, services);
          await pages.register(homePageRoutes, services);
          await pages.register(palettePageRoutes, services);
          await pages.register(settingsPageRoutes, services);
          await pages.register(serviceWorkerRoutes, services);
          await pages.register(paymentReturnPageRoutes, services);
          await pages.register(inboxPageRoutes, services);
          await pages.register(conversationPageRoutes, services);
          await pages.register(notePageRoutes, services);
          await pages.register(notificationPageRoutes, services);
          await pages.register(unsubscribePageRoutes, services);
          await pages.register(invitationLinkPageRoutes, services);
          await pages.register(reportPageRoutes, services);
          await pages.register(codeListPageRoutes, services);
          await pages.register(savedViewPageRoutes, services);
          await pages.register(folderPageRoutes, services);
          await pages.register(selectedCodePageRoutes, services);
          await pages.register(changeSelectedPageRoutes, services);
          await pages.register(matchingCodePageRoutes, services);
          await pages.register(deletedCodePageRoutes, services);
          await pages.register(codePageRoutes, services);
          await pages.register(codeStatusPageRoutes, services);
          await pages.register(lostPageRoutes, services);
          await pages.register(takedownPageRoutes, services);
          await pages.register(lostAndFoundPageRoutes, services);
          await pages.register(codeSettingsPageRoutes, services);
          await pages.register(codeExportPageRoutes, services);
          await pages.register(phonePageRoutes, services);
          await pages.register(firstStepsPageRoutes, services);
          await pages.register(practicePageRoutes, services);
          await pages.register(printPageRoutes, services);
          await pages.register(printSheetPageRoutes, services);
          await pages.register(scanPageRoutes, services);
          await pages.register(historyPageRoutes, services);
          await pages.register(draftPhotoPageRoutes, services);
          await pages.register(draftCodePageRoutes, services);
          await pages.register(newCodePageRoutes, services);
          await pages.register(contentPageRoutes, services);
          await pages.register(picturePageRoutes, services);
          await pages.register(pageDesignRoutes, services);
          await pages.register(documentListPageRoutes, services);
          await pages.register(documentUploadPageRoutes, services);
          await pages.register(receivedDocumentPageRoutes, services);
          await pages.register(offeredDocumentPageRoutes, services);
          await pages.register(deletedDocumentPageRoutes, services);
          await pages.register(documentPageRoutes, services);
          await pages.register(documentSharingPageRoutes, services);
          await pages.register(batchListPageRoutes, services);
          await pages.register(batchPageRoutes, services);
          await pages.register(claimPageRoutes, services);
          await pages.register(importListPageRoutes, services);
          await pages.register(importDraftPageRoutes, services);
          await pages.register(importPageRoutes, services);
          await pages.register(memorialPageRoutes, services);
          await pages.register(memorialPlacePageRoutes, services);
          await pages.register(memorialPicturePageRoutes, services);
          await pages.register(guestBookPageRoutes, services);
          await pages.register(caretakerPageRoutes, services);
          await pages.register(staffHomePageRoutes, services);
          await pages.register(codeReportStaffPageRoutes, services);
          await pages.register(codeReviewStaffPageRoutes, services);
          await pages.register(appealStaffPageRoutes, services);
          await pages.register(conversationReportStaffPageRoutes, services);
          await pages.register(userListStaffPageRoutes, services);
          await pages.register(userStaffPageRoutes, services);
          await pages.register(jobStaffPageRoutes, services);
          await pages.register(auditStaffPageRoutes, services);
          await pages.register(packageStaffPageRoutes, services);
          await pages.register(breakGlassStaffPageRoutes, services);
          await pages.register(breakGlassRecordStaffPageRoutes, services);
        },
        { prefix: '/app' },
      );
      await app.register(readPhotoRoutes, { prefix: '/app', ...services });
    },
    cleanUp: [() => deleteExpiredCodeDrafts(services.database.client)],
  };
  return { feature };
}

export { PAGE_SCRIPT_PATH } from './page-script.ts';
export { ownerPagesPersonalData } from './personal-data.ts';
