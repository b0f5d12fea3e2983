import Fastify from 'fastify';
import { loadConfig } from '../../../src/config.ts';
import { QR_CODE_KINDS } from '../../../src/features/codes/kinds/all-kinds.ts';
import { getMessagePresetsForCodeKind } from '../../../src/features/conversations/presets.rules.ts';
import { createQrCodePage, type QrCodePageContent } from '../../../src/features/finder/code-page.ts';
import { COPY_SCRIPT, createGeolocationFormScript } from '../../../src/features/finder/page-scripts.ts';
import { createPageFrame, sendLocalizedHtmlPage } from '../../../src/platform/pages/page-frame.ts';
import { DEFAULT_LOCALE, LOCALES } from '../../../src/shared/i18n/locales.ts';

/** Create page content with all fields visible and every form. */
export function createPageContent(kind: string, changes: Partial<QrCodePageContent> = {}): QrCodePageContent {
  const address = '/s/0123456789abcdef01234567';
  const visit = `0123456789abcdef01234567.1800000000.${'x'.repeat(43)}`;
  return {
    status: 200,
    address,
    scanUrl: `https://qr.example.org${address}`,
    copyScript: '/s/copy.js',
    kind,
    pageDesign: {},
    country: null,
    isLost: false,
    lost: null,
    hiddenFields: [],
    unlockedVisit: null,
    pinForm: null,
    confirmation: null,
    isOwnPhone: false,
    ongoingConversation: null,
    memorial: null,
    guestBookForm: null,
    gallery: null,
    documents: null,
    profile: sortByDisplayOrder(kind, QR_CODE_KINDS.find((each) => each.kind === kind)?.example ?? {}),
    messageForm: {
      action: `${address}/message?lang=en#write`,
      visit,
      kind,
      presets: getMessagePresetsForCodeKind(kind),
      draft: null,
      errorMessage: null,
      needsConfirmation: false,
    },
    locationForm: {
      action: `${address}/location?lang=en#share`,
      script: '/s/position.js',
      visit,
      place: '',
      errorMessage: null,
      needsConfirmation: false,
    },
    ...changes,
  };
}

export function sortByDisplayOrder(
  kind: string,
  data: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const order = Object.keys(QR_CODE_KINDS.find((each) => each.kind === kind)?.defaultVisibility ?? {});
  return Object.fromEntries(order.filter((field) => field in data).map((field) => [field, data[field]]));
}

export const PIN_FORM = { action: '/s/0123456789abcdef01234567/pin', visit: 'x', errorMessage: null };

/** Serve pages at `/s/<kind>?lang=<tag>`. */
export function createPageServer(page: (kind: string) => QrCodePageContent) {
  const app = Fastify();
  app.decorate('pageFrame', createPageFrame(loadConfig({}).brand, 'https://qr.example.org'));
  app.get<{ Params: { kind: string }; Querystring: { lang?: string } }>('/s/:kind', (request, reply) =>
    sendLocalizedHtmlPage(
      reply,
      createQrCodePage(page(request.params.kind), LOCALES.get(request.query.lang ?? '') ?? DEFAULT_LOCALE),
    ),
  );
  app.get('/s/copy.js', (_request, reply) => reply.type('text/javascript').send(COPY_SCRIPT));
  app.get('/s/position.js', (_request, reply) =>
    reply.type('text/javascript').send(createGeolocationFormScript(DEFAULT_LOCALE)),
  );
  return app;
}

let requestedPage = createPageContent('PET');
const server = createPageServer(() => requestedPage);

export async function renderPage(page: QrCodePageContent, tag = 'en'): Promise<string> {
  requestedPage = page;
  return (await server.inject(`/s/x?lang=${tag}`)).body;
}
