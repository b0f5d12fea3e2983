import type { Feature, FeatureManifest } from '../../platform/feature.ts';
import { contactAndCalendarFileRoutes } from './code-file.routes.ts';
import { conversationPageRoutes } from './conversation-pages.routes.ts';
import { type DraftPageServices, draftPageRoutes } from './draft-page.routes.ts';
import { finderPageRoutes } from './finder.routes.ts';
import { galleryPageRoutes } from './gallery-pages.routes.ts';
import { memorialArchiveRoutes } from './memorial-archive/memorial-archive.routes.ts';
import type { MemorialArchiveServices } from './memorial-archive/memorial-archive.ts';
import { memorialPageRoutes } from './memorial-pages.routes.ts';
import { type OwnerLinkServices, ownerLinkRoutes } from './owner-links/owner-link.routes.ts';
import { registerFinderPageHandlers } from './page-scope.ts';
import { posterRoutes } from './poster/poster.routes.ts';
import { createPosterDrawer } from './poster/poster-drawer.ts';
import { codeReportPageRoutes } from './report-pages.routes.ts';
import { sharePageRoutes } from './share-pages.routes.ts';
import { ownerTestLinkRoutes } from './test-link.routes.ts';
import { createPageCache } from './unrecorded-page.ts';

export const finderManifest: FeatureManifest = { name: 'finder', queues: [] };

export function createFinderFeature(
  services: DraftPageServices & MemorialArchiveServices & OwnerLinkServices,
) {
  const pageServices = { ...services, pageCache: createPageCache() };
  const posters = createPosterDrawer();
  const feature: Feature = {
    async plugin(app) {
      await app.register(
        async (pages) => {
          registerFinderPageHandlers(pages, pageServices);
          await pages.register(finderPageRoutes, pageServices);
          await pages.register(codeReportPageRoutes, services);
          await pages.register(memorialPageRoutes, services);
          await pages.register(galleryPageRoutes, services);
          await pages.register(contactAndCalendarFileRoutes, services);
          await pages.register(conversationPageRoutes, services);
          await pages.register(ownerTestLinkRoutes, services);
          await pages.register(ownerLinkRoutes, services);
          await pages.register(sharePageRoutes, services);
        },
        { prefix: '/s' },
      );
      await app.register(draftPageRoutes, { prefix: '/api/qrcodes', ...services });
      await app.register(posterRoutes, { prefix: '/api/qrcodes', ...services, posters });
      await app.register(memorialArchiveRoutes, { prefix: '/api/memory-tags', ...services });
    },
  };
  return { feature, services: { posters } };
}

export { createMapLinks } from './contact-links.rules.ts';
export { type ProfileFieldSchema, renderProfileFieldValue } from './field-value.ts';
export type { FinderServices } from './finder-services.ts';
export {
  formatAccuracy,
  renderMoment,
  translateEnumValue,
  translateFieldName,
  translateQrCodeKind,
} from './formatters.ts';
export { listPageSections, type OrderedSection } from './layout.rules.ts';
export { findContactDataWarning, findMessageError, parseMessageFormFields } from './message-fields.ts';
export { parseCoordinates } from './position-text.rules.ts';
export { PosterQuery, sendPoster } from './poster/poster.routes.ts';
export type { PosterDrawer } from './poster/poster-drawer.ts';
export { readOwnPoster } from './poster/read-poster.ts';
export { createReviewPage, hasReviewPicture } from './review-page.ts';
export { drawScanMap, renderScanPositions } from './scan-positions.ts';
export { truncateConversationReportFields } from './sections/forms.ts';
export { type IconName, renderIcon } from './sections/icons.ts';
export { renderQrSymbol } from './sections/qr-symbol.ts';
export { createUnsavedCode, createUnsavedPage, type UnsavedQrCode } from './unsaved-page.ts';
